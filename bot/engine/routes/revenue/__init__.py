"""What a company's trains may run and what that earns."""
