"""Stock rounds (1820 §6)."""
