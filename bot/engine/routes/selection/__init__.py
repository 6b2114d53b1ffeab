"""Which routes together earn most, proven."""
