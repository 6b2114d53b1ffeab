"""Pictures: a game to a scene (`pictures.py`), a scene to a PNG (`painting`)."""
