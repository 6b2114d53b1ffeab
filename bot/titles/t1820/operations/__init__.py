"""Operating rounds (1820 §7)."""
