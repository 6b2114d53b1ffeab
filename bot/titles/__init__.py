"""One folder a title, and the registry that names them."""
