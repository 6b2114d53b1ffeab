"""The map of 18Chesapeake. Columns are letters, numbers run down the column."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    E1 gray | 1-5
    G1 gray | 1-5 0-1
    K1 gray "Easton" town:30 | 0-t0 t0-1
    B2 red "Pittsburgh" offboard:yellow=40,green=50,brown=60,gray=80[Pittsburgh] | 0-o0
    D2 white "Berlin" mountain:80 private:C&OC city:0
    F2 white "Harrisburg" home:PRR city:0
    H2 I3 white private:C-P
    J2 white "Allentown" home:LV city:0
    L2 red "New York" offboard:yellow=40,green=60,brown=80,gray=100 | 0-o0 1-o0
    A3 red home:PLE city:yellow=40,green=50,brown=60,gray=80[Pittsburgh] | 5-c0
    C3 white
    E3 white "Hagerstown" city:0
    G3 white "Columbia" water:40 town:0
    K3 white "Trenton & Amboy" private:D&R town:0 town:0
    B4 white "Charleroi & Connellsville" town:0 town:0
    D4 E5 D6 D10 B12 white mountain:80
    F4 G5 white private:B&S
    H4 white "Strasburg" water:40 home:SRR city:0
    J4 yellow "Philadelphia" 'OO' city:30 city:30 | 0-c0 3-c1
    L4 B6 F6 C7 E7 G7 I7 B8 C9 E9 B10 J10 C11 F12 white
    C5 white "Green Spring" city:0
    I5 white "Wilmington" water:40 town:0
    K5 white "Burlington & Princeton" town:0 town:0
    H6 yellow "Baltimore" water:40 home:B&O/0 'OO' city:30 city:30 | 1-c0 4-c1
    J6 white "Camden" water:40 home:C&A city:0
    A7 red "Ohio" offboard:yellow=40,green=60,brown=80,gray=100 | 4-o0 5-o0
    K7 gray | 2-3
    D8 white "Leesburg" mountain:80 city:0
    F8 white "Washington DC" 'DC' city:0
    J8 white
    G9 F10 G11 white water:40
    I9 gray "Delmarva Peninsula" town:30 | 3-t0 t0-5
    E11 white "Fredericksburg" town:0
    D12 white "Charlottesville" city:0
    H12 white water:40
    A13 red joint@5 offboard:yellow=40,green=50,brown=60,gray=80[Coal] | 4-o0
    C13 white "Lynchburg" mountain:80 home:N&W city:0
    E13 white
    G13 white "Richmond" home:C&O city:0
    B14 red "West Virginia Coal" joint@2 offboard:yellow=40,green=50,brown=60,gray=80[Coal] | 3-o0 4-o0
    F14 gray | 3-4
    H14 red "Norfolk" offboard:yellow=30,green=40,brown=50,gray=60 | 2-o0
    """,
    Layout(is_flat=True, letter_is_x=True),
)
