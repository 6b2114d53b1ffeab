"""1867 The Railways of Canada."""
