"""Acts at a table: moves, undo, lobby, votes, the moderator's acts."""
