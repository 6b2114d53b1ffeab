"""Looking through what is kept of a game, row by row. What is said here is for the operator."""
