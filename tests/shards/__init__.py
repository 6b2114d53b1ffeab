"""Several bots that share the work: in Discord's double, on a database server."""
