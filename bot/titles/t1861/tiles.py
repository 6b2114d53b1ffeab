"""The tile sheet of 1861. Moscow (M), Kiev (K), St. Petersburg (S), Kharkov (Kh) and the places with a Y have tiles of
their own.
"""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    3x2 4x4 5x2 6x2 7x* 8x* 9x*
    14x2 15x2 16x2 17x2 18x2 19x2 20x2 21x2 22x2 23x5 24x5 25x4 26x2 27x2 28x2 29x2 30x2 31x2
    39x2 40x2 41x2 42x2 43x2 44x2 45x2 46x2 47x2
    57x2 58x4
    63x3
    87x2 88x2
    201 yellow x3 'Y' city:30 | 0-c0 1-c0
    202 yellow x3 'Y' city:30 | 0-c0 2-c0
    204x2
    207 green x5 'Y' city:40/2 | 0-c0 1-c0 2-c0 3-c0
    208 green x2 'Y' city:40/2 | 0-c0 1-c0 3-c0 4-c0
    611x3
    619x2
    621 yellow x2 'Y' city:30 | 0-c0 c0-3
    622 green x2 'Y' city:40/2 | 0-c0 2-c0 3-c0 4-c0
    623 brown x3 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    624 green x1 | 0-1 1-2
    625 green x1 | 0-1 2-3
    626 green x1 | 0-1 3-4
    635 green x1 cost:40 'K' city:40 city:40 city:40 | 0-c0 c0-1 4-c2 c2-5 2-c1 c1-3
    636 brown x1 'K' city:50/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    637 green x1 'M' city:50 city:50 city:50 | 0-c0 c0-1 4-c2 c2-5 2-c1 c1-3
    638 brown x1 'M' city:70/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    639 gray x1 'M' city:100/4 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    640 gray x1 'Kh' city:60/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    641 brown x1 'S' city:50/3 | 0-c0 1-c0 5-c0
    642 gray x1 'S' city:70/3 | 0-c0 1-c0 5-c0
    911x3
    801 brown x2 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0
    """
)
