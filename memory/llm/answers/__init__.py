"""Reading what a model answered: JSON out of prose, and whether an answer can be used."""
