"""What `manage.py demo_data` fills a database with."""
