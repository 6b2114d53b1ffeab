"""What an operator tries on a real server before players do: one step after the other, written down, and taken away again."""
