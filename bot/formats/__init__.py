"""Games as files: the formats of other programs."""
