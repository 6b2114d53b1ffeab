"""The Discord client: its life, its posts, its periodic tasks."""
