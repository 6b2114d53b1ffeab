"""Computer players at the table: what they think in a helper process, and their moves in the game's log."""
