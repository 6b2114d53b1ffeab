"""Pictures: a game to a scene (`catalogue.py`), a scene to a PNG (`painting`)."""
