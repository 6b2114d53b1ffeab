"""The tile sheet of 18BF The Big Four.

London (BF9, BF10, BF11) has one city of two places at each edge, as on the map, and a label of its own: these tiles are
reserved for it (18BF §10.4).
"""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    3x4 4x12 5x6 6x6 7x* 8x* 9x* 57x6 58x10
    201 yellow x4 'Y' city:30 | 0-c0 1-c0
    202 yellow x4 'Y' city:30 | 0-c0 2-c0
    621 yellow x4 'Y' city:30 | 0-c0 c0-3
    14x4 15x10 16x2 17x2 18x2 19x2 20x2 21x1 22x1 23x8 24x8 25x4 26x2 27x2 28x2 29x2 30x1 31x1 87x5 88x5 204x5
    207 green x6 'Y' city:40/2 | 0-c0 1-c0 2-c0 3-c0
    208 green x4 'Y' city:40/2 | 0-c0 1-c0 3-c0 4-c0
    619x4
    622 green x4 'Y' city:40/2 | 0-c0 2-c0 3-c0 4-c0
    BF1 green x2 'BGM' city:40 city:40 city:40 | 0-c0 1-c1 2-c2 3-c0 4-c1 5-c2
    BF4 green x2 'BGM' city:40 city:40 city:40 | 0-c0 1-c1 2-c2 3-c2 4-c1 5-c0
    BF5 green x2 'BGM' city:40 city:40 city:40 | 0-c0 1-c1 2-c1 3-c2 4-c2 5-c0
    BF9 green x1 'London' city:50/2 city:50/2 city:50/2 city:50/2 city:50/2 city:50/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    BF12 green x1 'L' city:40@2.5 city:40@4 city:40@5.5 | 3-c0 4-c1 5-c2
    39x2 40x2 41x2 42x2 43x2 44x2 45x2 46x2 47x2 63x5 70x1
    216 brown x2 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    448x3 611x2
    623 brown x4 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    801 brown x3 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0
    911x2
    BF6 brown x3 'BGM' city:50/2 city:50 | 0-c1 1-c0 2-c0 3-c0 4-c0 5-c1
    BF7 brown x3 'BGM' city:50/2 city:50 | 0-c0 1-c1 2-c0 3-c0 4-c1 5-c0
    BF10 brown x1 'London' city:70/2 city:70/2 city:70/2 city:70/2 city:70/2 city:70/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    BF13 brown x1 'L' city:50/3 | 3-c0 4-c0 5-c0
    49 gray x1 'L' city:70/3 | 0-c0 1-c0 2-c0
    BF11 gray x1 'London' city:100/2 city:100/2 city:100/2 city:100/2 city:100/2 city:100/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    BF14 gray x4 'BGM' city:70/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    """
)
