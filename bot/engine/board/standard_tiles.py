"""The tiles that many titles share, by their numbers: a title's sheet counts them (`7x4 8x9 57x*`)."""

STANDARD = """
    1 yellow x* town:10 town:10 | 1-t0 t0-3 0-t1 t1-4
    2 yellow x* town:10 town:10 | 0-t0 t0-3 1-t1 t1-2
    3 yellow x* town:10 | 0-t0 t0-1
    4 yellow x* town:10 | 0-t0 t0-3
    5 yellow x* city:20 | 0-c0 1-c0
    6 yellow x* city:20 | 0-c0 2-c0
    7 yellow x* | 0-1
    8 yellow x* | 0-2
    9 yellow x* | 0-3
    55 yellow x* town:10 town:10 | 0-t0 t0-3 1-t1 t1-4
    56 yellow x* town:10 town:10 | 0-t0 t0-2 1-t1 t1-3
    57 yellow x* city:20 | 0-c0 c0-3
    58 yellow x* town:10 | 0-t0 t0-2
    69 yellow x* town:10 town:10 | 0-t0 t0-3 2-t1 t1-4
    12 green x* city:30 | 0-c0 1-c0 2-c0
    13 green x* city:30 | 0-c0 2-c0 4-c0
    14 green x* city:30/2 | 0-c0 1-c0 3-c0 4-c0
    15 green x* city:30/2 | 0-c0 1-c0 2-c0 3-c0
    16 green x* | 0-2 1-3
    17 green x* | 1-3 0-4
    18 green x* | 0-3 1-2
    19 green x* | 0-3 2-4
    20 green x* | 0-3 1-4
    21 green x* | 0-2 3-4
    22 green x* | 0-4 2-3
    23 green x* | 0-3 0-4
    24 green x* | 0-3 0-2
    25 green x* | 0-2 0-4
    26 green x* | 0-3 0-5
    27 green x* | 0-3 0-1
    28 green x* | 0-4 0-5
    29 green x* | 0-2 0-1
    30 green x* | 0-4 0-1
    31 green x* | 0-2 0-5
    59 green x* 'OO' city:40 city:40 | 0-c0 2-c1
    87 green x* town:10 | 0-t0 1-t0 2-t0 3-t0
    88 green x* town:10 | 0-t0 1-t0 3-t0 4-t0
    204 green x* town:10 | 0-t0 2-t0 3-t0 4-t0
    205 green x* city:30 | 0-c0 1-c0 3-c0
    206 green x* city:30 | 0-c0 5-c0 3-c0
    619 green x* city:30/2 | 0-c0 2-c0 3-c0 4-c0
    39 brown x* | 0-2 0-1 1-2
    40 brown x* | 0-2 2-4 0-4
    41 brown x* | 0-3 0-1 1-3
    42 brown x* | 0-3 3-5 0-5
    43 brown x* | 0-3 0-2 1-3 1-2
    44 brown x* | 0-3 1-4 0-1 3-4
    45 brown x* | 0-3 2-4 0-4 2-3
    46 brown x* | 0-3 2-4 3-4 0-2
    47 brown x* | 0-3 1-4 1-3 0-4
    63 brown x* city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    64 brown x* 'OO' city:50 city:50@3.5 | 0-c0 c0-2 3-c1 c1-4
    65 brown x* 'OO' city:50 city:50@2.5 | 0-c0 c0-4 2-c1 c1-3
    66 brown x* 'OO' city:50 city:50@1.5 | 0-c0 c0-3 1-c1 c1-2
    67 brown x* 'OO' city:50 city:50 | 0-c0 c0-3 2-c1 c1-4
    68 brown x* 'OO' city:50 city:50 | 0-c0 c0-3 1-c1 c1-4
    70 brown x* | 0-1 0-2 1-3 2-3
    448 brown x* city:40/2 | 0-c0 1-c0 2-c0 3-c0
    611 brown x* city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    911 brown x* town:10 | 0-t0 1-t0 2-t0 3-t0 4-t0
    915 gray x* city:50/3 | 0-c0 1-c0 2-c0 3-c0 4-c0
"""
