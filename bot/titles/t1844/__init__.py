"""1844 Switzerland."""
