"""The page of language models. Not named `models`, which Django takes for an app's tables."""
