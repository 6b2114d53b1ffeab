"""The family of 1867 and 1861: minors sold by auction that borrow, convert and merge into majors, and a national
railway that takes over what fails.

A title gives a `Merging` its box and its values, and `build_title` makes the whole title of it. Titles of the family do
not import each other.
"""

from .components import COLUMN, GRID, major, minor, national, private
from .family import Merging
from .title import build_title

__all__ = [
    "COLUMN",
    "GRID",
    "Merging",
    "build_title",
    "major",
    "minor",
    "national",
    "private",
]
