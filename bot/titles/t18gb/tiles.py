"""The tile sheet of 18GB."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    G02 yellow x3 'XX' city:30 city:0@3.5 | 0-c0 c0-2
    G03 yellow x2 'XX' city:30 city:0@1.5 | 0-c0 c0-3
    G18 yellow x3 'OO' city:20 city:0@1.5 | 0-c0 c0-3
    G19 yellow x4 'OO' city:20 city:0@3.5 | 0-c0 c0-2
    G39 yellow x1 city:10 | 0-c0 1-c0
    G40 yellow x4 city:10 | 0-c0 2-c0
    G41 yellow x3 city:10 | 0-c0 c0-3
    3x* 4x* 7x* 8x* 9x* 58x*
    G04 green x1 'XX' city:40 city:40 | 1-c0 c0-5 2-c1 c1-4
    G05 green x2 'XX' city:40 city:40 | 0-c0 c0-3 2-c1 c1-4
    G06 green x1 'XX' city:40 city:40 | 0-c0 c0-3 1-c1 c1-4
    G08 green x1 'XX' city:40 city:40@3.5 | 0-c0 c0-2 3-c1 c1-4
    G09 green x1 'XX' city:40 city:40@2.5 | 0-c0 c0-4 2-c1 c1-3
    G10 green x2 'XX' city:40 city:40 | 0-c0 c0-2 1-c1 c1-3
    G11 green x1 'XX' city:40 city:40@1.5 | 0-c0 c0-3 1-c1 c1-2
    G21 green x2 'OO' city:30 city:30 | 0-c0 c0-3 2-c1 c1-4
    G22 green x2 'OO' city:30 city:30 | 0-c0 c0-3 1-c1 c1-4
    G24 green x1 'OO' city:30 city:30@3.5 | 0-c0 c0-2 3-c1 c1-4
    G25 green x1 'OO' city:30 city:30@2.5 | 0-c0 c0-4 2-c1 c1-3
    G26 green x2 'OO' city:30 city:30 | 0-c0 c0-2 1-c1 c1-3
    G27 green x1 'OO' city:30 city:30@1.5 | 0-c0 c0-3 1-c1 c1-2
    G28 green x2 'OO' city:30 city:30 | 1-c0 c0-5 2-c1 c1-4
    G36 green x4 city:20 | 0-c0 1-c0 3-c0 4-c0
    G37 green x4 city:20 | 0-c0 1-c0 2-c0 3-c0
    G38 green x4 city:20 | 0-c0 2-c0 3-c0 4-c0
    16x1 17x1 18x1 19x2 20x1 21x1 22x1 23x5 24x5 25x3 26x2 27x2 28x2 29x2 87x5 88x4 204x4
    G13 brown x1 'XX' city:60@2 city:60@5 | 1-c0 2-c0 3-c0 4-c1 5-c1 0-c1
    G14 brown x4 'XX' city:60@2 city:60@5 | 1-c0 2-c0 4-c0 3-c1 5-c1 0-c1
    G15 brown x3 'XX' city:60@2 city:60@5 | 0-c0 2-c0 4-c0 1-c1 3-c1 5-c1
    G30 brown x7 'OO' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    G34 brown x6 city:30/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    40x1 41x1 42x1 43x2 44x2 45x2 46x2 47x2 911x4
    G32 blue x1 'FT' *plus_40 | 0-3 1-2 4-5=
    G33 blue x1 'S' *plus_30 | 2-3 2-4 2-5= 5-0
    G31 gray x2 'OO' city:50/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    G35 gray x2 city:30/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    912 gray x2 town:10 | 0-t0 1-t0 2-t0 3-t0 4-t0 5-t0
    """
)
