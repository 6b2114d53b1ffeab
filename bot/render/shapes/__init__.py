"""Pictures before they are painted: plain shapes, colours, letters, what is to be seen, alt text."""
