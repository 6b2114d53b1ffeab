"""The steps that an operator tries on a real server before players do: in order, written down, and taken away again."""
