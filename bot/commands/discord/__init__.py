"""The Discord client: its life, its posts, what it does every so often."""
