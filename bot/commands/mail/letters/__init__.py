"""What comes in, before anybody is asked what it means: bounds, and what servers say of it."""
