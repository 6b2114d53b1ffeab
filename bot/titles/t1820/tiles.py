"""The tile sheet of 1820."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    3x5 4x10
    5 yellow x10 city:20 | 0-c0 5-c0
    6 yellow x10 city:20 | 0-c0 4-c0
    7x* 8x* 9x*
    57 yellow x10 city:20 | 0-c0 3-c0
    58x10
    148 yellow x7 'B' city:30 | 0-c0 5-c0
    149 yellow x7 'B' city:30 | 0-c0 4-c0
    150 yellow x7 'B' city:30 | 0-c0 3-c0
    248 yellow x2 'OO' city:50 city:50 | 4-c0 0-c0
    802 yellow x2 'OO' city:50 city:50 | 0-c0 3-c0
    803 yellow x2 'OO' city:50 city:50 | 1-c0 2-c0
    M01 yellow x1 'M' city:50 city:50 town:10 | 5-c0 2-c0 0-c1 3-c1 4-t0
    14 green x8 city:30/2 | 0-c0 2-c0 3-c0 5-c0
    15x8
    16 green x5 | 4-0 5-1
    17 green x5 | 1-3 4-0
    18 green x5 | 1-2 0-3
    19 green x5 | 2-4 3-0
    20x5
    21 green x5 | 3-5 0-1
    22 green x5 | 4-0 2-3
    23 green x5 | 3-0 1-3
    24x5
    25 green x5 | 0-2 4-0
    26 green x5 | 3-0 2-3
    27x5
    28 green x5 | 0-2 1-2
    29x5
    30 green x5 | 4-0 0-1
    31 green x5 | 0-2 5-0
    35 green x1 'OO' city:50 city:50 | 5-c0 1-c0 0-c1 2-c1
    36 green x1 'OO' city:50 city:50 | 4-c0 0-c0 1-c1 3-c1
    38 green x8 city:30/2 | 0-c0 2-c0 3-c0 4-c0
    54 green x1 'OO' city:50 city:50 | 0-c0 1-c0 2-c1 3-c1
    64 green x1 'OO' city:50 city:50 | 0-c0 2-c0 3-c1 4-c1
    65 green x1 'OO' city:50 city:50 | 4-c0 5-c0 0-c1 2-c1
    66 green x1 'OO' city:50 city:50 | 0-c0 3-c0 1-c1 2-c1
    67 green x1 'OO' city:50 city:50 | 5-c1 2-c1 4-c0 0-c0
    68 green x1 'OO' city:50 city:50 | 5-c1 2-c1 0-c0 3-c0
    179 green x7 'B' city:40 | 0-c0 3-c0 5-c0
    180 green x7 'B' city:40 | 0-c0 1-c0 3-c0
    181 green x7 'B' city:40 | 0-c0 1-c0 5-c0
    182 green x7 'B' city:40 | 0-c0 2-c0 4-c0
    212 green x1 'OO' city:50 city:50 | 4-c0 5-c0 1-c1 2-c1
    624 green x5 | 5-0 0-1
    625 green x5 | 5-0 1-2
    626 green x5 | 4-5 1-2
    847 green x5 town:20 | 0-t0 t0-1
    848 green x10 town:20 | 0-t0 t0-3
    849 green x10 town:20 | 0-t0 t0-2
    M02 green x1 'M' city:50 city:50 city:50 | 3-c1 4-c1 5-c0 0-c0 1-c2 2-c2 2-c0 0-c1 4-c2
    39 brown x5 | 1-2 0-1 0-2
    40 brown x5 | 0-2 4-0 2-4
    41 brown x5 | 3-0 1-3 0-1
    42 brown x5 | 0-3 0-2 2-3
    43x5 44x5
    45 brown x5 | 4-0 2-4 2-3 0-3
    46 brown x5 | 0-2 2-4 3-4 0-3
    47 brown x5 | 0-3 1-4 1-3 4-0
    51 brown x12 city:40/2 | 0-c0 1-c0 2-c0 4-c0 5-c0
    70 brown x5 | 1-3 2-3 0-2 0-1
    198 brown x7 'B' city:60/2 | 0-c0 2-c0 3-c0 5-c0
    199 brown x7 'B' city:60/2 | 0-c0 1-c0 2-c0 3-c0
    200 brown x7 'B' city:60/2 | 0-c0 2-c0 3-c0 4-c0
    339 brown x3 'OO' city:50 city:50 | 2-c1 3-c1 4-c0 5-c0 1-c0 0-c1
    627 brown x5 | 3-0 3-4 4-5 5-0
    628 brown x5 | 0-2 3-5 5-0 2-3
    629 brown x5 | 4-0 0-2 2-3 3-4
    867 brown x5 town:30 | 0-t0 t0-1
    868 brown x10 town:30 | 0-t0 t0-3
    869 brown x9 town:30 | 0-t0 t0-2
    M03 brown x1 'M' city:60/4 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    290 gray x5 'B' city:70/2 | 0-c0 1-c0 2-c0 4-c0 5-c0
    804 gray x2 'OO' city:60 city:60 | 2-c1 3-c1 4-c0 5-c0 c0-c1 1-c0 0-c1
    M04 gray x1 'M' city:80/4 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    """
)
