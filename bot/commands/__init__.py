"""Front doors: Discord and the terminal."""
