"""The needs of every command and button: answers, rights from Discord's present facts, completion."""
