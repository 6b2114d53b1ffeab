"""Issue and takeover rounds (1820 §8)."""
