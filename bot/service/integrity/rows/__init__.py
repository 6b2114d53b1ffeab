"""What is kept of a game, row by row: read, judged, and told to the operator."""
