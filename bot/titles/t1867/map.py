"""The map of 1867. Columns are letters, numbers run down the column; a stub at Montreal's neighbours points at it."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    E1 gray joint@1 | 1-5
    D2 gray "Timmins" joint@1,4 city:40 | 0-c0 1-c0 4-c0 5-c0
    F2 white
    C3 gray joint@4 | 0-4
    E3 G3 D4 F4 H4 C5 E5 G5 I5 K5 M5 B6 D6 F6 H6 J6 L6 N6 white
    A7 red "Sault Ste. Marie" offboard:yellow=20,green=30,brown=40,gray=40 | 4-o0 5-o0
    C7 E7 G7 I7 K7 M7 white
    O7 white "Quebec" 'Y' city:0
    B8 white
    D8 white "Sudbury" city:0
    F8 white "North Bay" city:0
    H8 J8 L8 white
    N8 white water=80@0,5
    P8 red "Maritime Provinces" offboard:yellow=30,green=30,brown=40,gray=40 | 2-o0 1-o0
    C9 white wall@0,5
    E9 G9 I9 K9 white
    M9 white "Trois-Rivières" water=80@0,5 city:0
    O9 white water=80@2
    D10 white wall@0,1,2,5
    F10 white
    H10 white "Pembroke" town:0
    J10 white
    L10 white "St. Jerome" water=80@5 stub@0 town:0
    N10 white water=80@2,3
    C11 white wall@0,3,4
    E11 white wall@1,2
    G11 I11 white
    K11 white water:20
    M11 white water=80@2,3
    O11 white
    D12 white wall@3,4
    F12 H12 white
    J12 white "Ottawa" water:20 later:O/gray 'Y' city:0
    L12 yellow "Montreal" water:20 'M' city:40 city:40 city:40@5 | 1-c0 3-c1
    N12 white "Sherbrooke" city:0
    C13 white wall@3
    E13 white "Barrie" city:0
    G13 I13 white
    K13 white "Cornwall" stub@4 town:0
    M13 white "Granby" town:0
    O13 red "Maine" offboard:yellow=20,green=30,brown=40,gray=40 | 2-o0 3-o0
    D14 F14 white
    H14 white "Belleville" wall@0 town:0
    J14 white
    L14 gray | 2-3
    C15 white "Goderich" town:0
    E15 white "Guelph" city:0
    G15 white "Peterborough" stub@1 city:0
    I15 white "Kingston" city:0
    M15 red "New England" offboard:yellow=30,green=40,brown=50,gray=60 | 3-o0
    B16 gray | 0-5
    D16 white "Berlin" 'Y' city:0
    F16 yellow "Toronto" 'T' city:30 city:30 | 1-c0 4-c1
    H16 blue wall@3 offboard:10 | 2-o0 4-o0
    A17 red joint@0 offboard:(yellow=30,green=40,brown=50,gray=70)[Detroit] | 5-o0
    C17 white "London" city:0
    E17 white "Hamilton" 'Y' city:0
    B18 white "Sarnia" town:0
    D18 white wall@5
    F18 red "Buffalo" offboard:yellow=30,green=40,brown=50,gray=60 | 2-o0
    A19 red "Detroit" joint@3 offboard:yellow=30,green=40,brown=50,gray=70[Detroit] | 4-o0
    C19 white
    E19 blue wall@2 offboard:10 | 3-o0
    """,
    Layout(is_flat=True, letter_is_x=True),
)
