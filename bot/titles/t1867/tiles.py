"""The tile sheet of 1867. Toronto (T), Montreal (M), Ottawa (O) and the places with a Y have tiles of their own."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    3x2 4x4 5x2 6x2 7x* 8x* 9x*
    14x2 15x4 16x2 17x2 18x2 19x2 20x2 21x2 22x2 23x5 24x5 25x4 26x2 27x2 28x2 29x2 30x2 31x2
    39x2 40x2 41x2 42x2 43x2 44x2 45x2 46x2 47x2 57x2 58x4 63x3 70x2 87x2 88x2 204x2 611x3 619x2 911x3
    120 green x1 'T' city:60 city:60 | 0-c0 c0-1 2-c1 c1-3
    122 brown x1 'T' city:80/2 city:80/2 | 0-c0 c0-1 2-c1 c1-3
    124 gray x1 'T' city:100/4 | 0-c0 1-c0 2-c0 3-c0
    201 yellow x3 'Y' city:30 | 0-c0 1-c0
    202 yellow x3 'Y' city:30 | 0-c0 2-c0
    207 green x5 'Y' city:40/2 | 0-c0 1-c0 2-c0 3-c0
    208 green x2 'Y' city:40/2 | 0-c0 1-c0 3-c0 4-c0
    621 yellow x2 'Y' city:30 | 0-c0 c0-3
    622 green x2 'Y' city:40/2 | 0-c0 2-c0 3-c0 4-c0
    623 brown x3 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    624 green x1 | 0-1 1-2
    625 green x1 | 0-1 2-3
    626 green x1 | 0-1 3-4
    637 green x1 'M' city:50 city:50 city:50 | 0-c0 c0-1 4-c2 c2-5 2-c1 c1-3
    639 gray x1 'M' city:100/4 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    801 brown x2 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0
    X1 green x1 'M' city:50 city:50 city:50 | 0-c0 c0-3 1-c1 c1-4 2-c2 c2-5
    X2 green x1 'M' city:50 city:50 city:50 | 0-c0 c0-3 1-c1 c1-5 2-c2 c2-4
    X3 green x1 'M' city:50 city:50 city:50 | 0-c0 c0-4 1-c1 c1-2 3-c2 c2-5
    X4 green x1 'M' city:50 city:50 city:50 | 0-c0 c0-3 1-c1 c1-2 4-c2 c2-5
    X5 brown x1 'M' city:70/2 city:70 | 0-c1 1-c0 2-c0 3-c1 4-c0 5-c0
    X6 brown x1 'M' city:70/2 city:70 | 0-c0 3-c0 4-c0 5-c0 1-c1 2-c1
    X7 brown x1 'M' city:70/2 city:70 | 0-c0 1-c0 2-c1 3-c0 4-c1 5-c0
    X8 gray x1 'O' city:60/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    """
)
