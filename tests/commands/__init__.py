"""Front doors."""
