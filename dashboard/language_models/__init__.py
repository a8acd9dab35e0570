"""The page of models. Not named `models`: Django takes that for the tables of an app."""
