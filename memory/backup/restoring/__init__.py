"""The way back: a scratch database is made of a backup and compared, then it takes the place of the present one.

The present one stays whole until one atomic step: on SQLite a transaction that writes the whole file, or a rename; on
PostgreSQL a transaction that moves the tables from one schema to another.
"""
