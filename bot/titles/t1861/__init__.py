"""1861 The Railways of the Russian Empire."""
