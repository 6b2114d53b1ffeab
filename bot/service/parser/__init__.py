"""What people type or choose, read against a position."""
