"""Looking through what is kept of a game, row by row. Its texts are for the operator."""
