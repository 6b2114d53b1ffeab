"""Discord's double: HTTP and gateway on this machine's loopback, against which the real discord.py runs."""
