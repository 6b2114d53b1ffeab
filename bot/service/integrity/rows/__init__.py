"""The rows of a game, one after another: read, judged, and reported to the operator."""
