"""The rulebooks once more, by a second reader: cases named by section, with figures worked out by hand."""
