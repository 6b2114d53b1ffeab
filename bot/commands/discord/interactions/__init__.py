"""What every command and button needs: answers, rights from Discord's present facts, completion."""
