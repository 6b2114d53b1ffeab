"""The tile sheet of 1844 Switzerland."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    3x3 4x6 5x5 6x6 7x5 8x11 9x11 14x4 15x7 16x2 19x2 20x2 23x6 24x6 25x2 26x2 27x2 28x2 29x2 39x1 40x1 41x1 42x1
    43x1 44x1 45x1 46x1 47x1 57x6 58x6 59x2 64x1 65x1 66x1 67x1 68x1 70x1 87x2 88x2 204x2 611x6 619x4
    901 green x1 'L' city:40@0.5 city:40@2.5 | 0-c0 1-c0 2-c1 3-c1
    902 brown x1 'L' city:50/2 | 0-c0 3-c0 4-c0 5-c0
    903 gray x1 'L' city:60/3 | 0-c0 1-c0 2-c0 3-c0
    904 green x1 'B' city:40/2 | 0-c0 1-c0 3-c0 4-c0 5-c0
    905 brown x1 'B' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    906 gray x1 'B' city:60/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    907 green x1 'Z' city:40/2 | 0-c0 2-c0 3-c0
    908 green x1 'Z' city:40/2 | 0-c0 3-c0 4-c0
    909 brown x1 'Z' city:50/3 | 0-c0 3-c0 4-c0 5-c0
    910 gray x1 'Z' city:60/4 | 0-c0 1-c0 2-c0 3-c0 4-c0
    911 brown x2 town:10 | 0-t0 1-t0 3-t0 4-t0 5-t0
    915x2
    XM1 gray x2 offboard:10,20,50,80
    XM2 gray x2 offboard:10,40,50,60
    XM3 gray x2 offboard:10,50,80,10
    X78 purple x5 | 0-2~
    X79 purple x5 | 0-3~
    OP1 purple x1 hidden | 3-5
    OP2 purple x3 hidden | 1-4
    OP3 purple x1 hidden town:10@4 | 0-t0 4-t0
    """
)
