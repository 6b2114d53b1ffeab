"""The map of 1820. Rows are letters; blue spaces are ports. London (M13): city and edge have the same number."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    A7 gray | 5-0
    A9 gray town:20 | 5-t0 t0-0
    A11 gray | 5-0
    A13 A15 red "Scotland" offboard:30,30,40,50 | 0-o0 5-o0
    B4 blue "Preston" offboard:0,40,30,20 | 4-o0
    B6 white "Preston" river:40 barrier=80@0 city:0
    B8 B10 B12 white hill:40
    B14 B16 white
    C3 blue "Liverpool" plus:C5 barrier=80@5 offboard:20 | 4-o0 5-o0
    C5 white "Liverpool" river:40 barrier=80@0,3,4,5 'B' city:0
    C7 white "Warrington & Bolton" hill:40 barrier=80@1 'OO' city:0 city:0
    C9 white hill:40
    C11 white "Leeds & York" hill:40 'OO' city:0 city:0
    C13 white river:40
    C15 white "Hull" river:40 barrier=80@5 'B?' city:0
    C17 blue "Hull" offboard:0,30,40,20 | 1-o0
    D2 red "North Wales" offboard:30,40,30,40 | 4-o0 5-o0
    D4 white "Birkenhead & Chester" river:40 barrier=80@2,3 'OO' city:0 city:0
    D6 white "Manchester" hill:40 barrier=80@2 'M' city:0 city:0
    D8 white hill:40
    D10 white "Sheffield & Doncaster" hill:40 'OO' city:0 city:0
    D12 D14 white river:40
    D16 white "Grimsby" river:40 barrier=80@2 'B?' city:0
    D18 blue "Grimsby" offboard:0,20,30,50 | 1-o0
    E1 red "North Wales" offboard:30,40,30,40 | 4-o0 5-o0
    E3 E5 white river:40
    E7 E9 white hill:40
    E11 E13 E15 E17 F2 F4 F6 white
    F8 F10 F12 F14 white river:40
    F16 white
    G1 gray | 3-4 4-5
    G3 white river:40
    G5 white
    G7 white "Birmingham" 'B' city:0
    G9 G11 G13 white
    G15 white river:40
    G17 blue "Kings Lynn" offboard:0,20,20,30 | 5-o0
    G19 H2 white
    H4 white river:40
    H6 H8 H10 H12 white
    H14 H16 H18 white river:40
    H20 H22 white
    I1 gray | 3-4
    I3 white
    I5 white river:40
    I7 I9 I11 I13 white
    I15 white river:40
    I17 white
    I19 I21 white river:40
    I23 blue "Great Yarmouth" offboard:0,50,30,30 | 1-o0
    J2 red "Cardiff" offboard:30,30,40,50 | 3-o0 4-o0 5-o0
    J4 J6 J8 J10 J12 white
    J14 white river:40
    J16 J18 J20 J22 white
    K1 blue "Bristol" offboard:0,30,40,40 | 4-o0
    K3 K5 K7 white river:40
    K9 white
    K11 white river:40
    K13 K15 K17 white
    K19 white barrier=80@0
    K21 blue "Harwich" offboard:0,20,40,40 | 1-o0
    L2 L4 L6 white
    L8 L10 white river:40
    L12 L14 white
    L16 white river:40
    L18 white river:40 barrier=80@3
    L20 blue "Southend-on-Sea" offboard:0,40,50,60 | 1-o0
    M1 red "Cornwall" offboard:30,30,40,50 | 3-o0 4-o0 5-o0
    M3 white river:40
    M5 M7 white
    M9 M11 white river:40
    M13 gray "London" cost=40@0,1,2,3,5 city:40,60,80,100 city:40,60,80,100 city:40,60,80,100 city:40,60,80,100 city:40,60,80,100 city:40,60,80,100 | 0-c0! 4-c0! 1-c1! 4-c1! 2-c2! 4-c2! 3-c3! 4-c3! 4-c4! 5-c5! 4-c5!
    M15 gray "Chatham" city:30 | c0-0 c0-4 c0-5 1-4
    M17 gray | 1-4& 5-0 2-3
    M19 blue "London Docks" offboard:0,60,80,100 | 1-o0
    N2 white
    N4 white river:40
    N6 white river:40 barrier=80@4
    N8 white river:40 barrier=80@1
    N10 N12 N14 N16 white
    N18 white "Margate" city:0
    N20 blue "Margate" offboard:0,40,30,30 | 0-o0 1-o0
    O1 gray town:20 | 3-t0 t0-4
    O3 white
    O5 blue "Southampton" offboard:0,40,50,60 | 3-o0
    O9 blue "Portsmouth" offboard:0,30,30,20 | 2-o0
    O11 O13 O15 white
    O17 white "Dover" river:40 'B' city:0
    O19 blue "Dover" offboard:0,30,40,50 | 1-o0 2-3
    P2 blue "Poole" offboard:0,30,40,20 | 3-o0
    P4 blue "Bournemouth Pier" offboard:0,30,30,20 | 2-o0
    P12 blue "Brighton Pier" offboard:0,30,40,20 | 3-o0
    P16 blue "Folkestone" offboard:0,30,30,40 | 3-o0
    """,
    Layout(is_flat=False, letter_is_x=False),
)
