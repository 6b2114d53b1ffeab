"""The tile sheet of 1830. New York (54, 62) and the cities marked B (53, 61) have tiles of their own."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    1x1 2x1 3x2 4x2 7x4 8x8 9x7 55x1 56x1 57x4 58x2 69x1
    14x3 15x2 16x1 18x1 19x1 20x1 23x3 24x3 25x1 26x1 27x1 28x1 29x1
    53 green x2 'B' city:50 | 0-c0 2-c0 4-c0
    54 green x1 'NY' city:60@0.5 city:60@2.5 | 0-c0 c0-1 2-c1 c1-3
    59x2 39x1 40x1 41x2 42x2 43x2 44x1 45x2 46x2 47x1
    61 brown x2 'B' city:60 | 0-c0 2-c0 3-c0 4-c0
    62 brown x1 'NY' city:80/2 city:80/2 | 0-c0 c0-1 2-c1 c1-3
    63x3 64x1 65x1 66x1 67x1 68x1 70x1
    """
)
