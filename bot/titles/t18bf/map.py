"""The map of 18BF. Rows are letters. London (U23) has one city of two places at each edge: number and edge agree."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    A5 A7 white mountain:40
    A9 white "Perth" city:0
    A11 white "Dundee" water=80@0 town:0
    A13 red "Aberdeen" offboard:20,30,40,50 | 1-o0
    B4 B6 white mountain:40
    B8 white
    B10 white water=80@3
    B12 blue | 0-1 2-5%
    C5 white "Dumbarton" water=80@0 stub@5 town:0
    C7 white "Stirling" town:0
    C9 white water=80@0,5
    C11 white "Kirkcaldy" home:EPD wall@0,5 'Y' city:0
    C13 blue | 1-4%
    D4 white "Greenock" water=80@3 city:0
    D6 yellow "Glasgow" home:GA/0,GC/1 'BGM' city:30 city:30 city:30 | 0-c0 2-c1 4-c2
    D8 white "Falkirk" water=80@3 town:0
    D10 white "Edinburgh" home:EG water=80@2 wall@3 'Y' city:0
    D12 white wall@2
    D14 white province@5
    E3 white
    E5 white stub@3
    E7 E9 white
    E11 white mountain:40
    E13 white mountain:40 province@4,5
    E15 white "Berwick" province@1,2 town:0
    F4 white "Ayr" town:0
    F6 white mountain:40
    F8 white
    F10 white mountain:40
    F12 white mountain:40 province@4,5
    F14 white province@1,2
    F16 G3 white
    G5 G7 white mountain:40
    G9 white water=80@5
    G11 white water=80@0 province@4,5
    G13 white province@1,2
    G15 white
    G17 white "Newcastle" home:ND 'Y' city:0
    H2 red "North Ireland" offboard:20,20,30,40 | 3-o0 4-o0
    H4 H6 white
    H8 white wall@4,5
    H10 white wall@1 water=80@2,3
    H12 white "Carlisle" province@2 town:0
    H14 white mountain:40
    H16 white "Durham" town:0
    H18 white "Sunderland" water=80@5 city:0
    I9 white wall@2
    I11 white mountain:80
    I13 white
    I15 white mountain:40
    I17 white "Darlington" town:0
    I19 white "Middlesbrough" water=80@2 city:0
    I21 J10 J12 white
    J14 white mountain:40
    J16 J18 J20 J22 K11 white
    K13 K15 white mountain:40
    K17 white
    K19 white "York" home:YNM city:0
    K21 K23 L10 white
    L12 white "Preston" home:NU city:0
    L14 white "Blackburn" stub@5 town:0
    L16 yellow "Leeds" mountain=40@0 'BGM' city:30 city:30 city:30 | 1-c0 3-c1 5-c2
    L18 white
    L20 white water:20
    L22 red "Hull" offboard:20,30,40,40 | 1-o0 2-o0
    M11 yellow "Liverpool" 'L' city:30 city:30 | 3-c0 5-c1
    M13 white "St Helens" town:0
    M15 yellow "Manchester" home:ML/1 mountain=40@3,4 'BGM' city:30 city:30 city:30 | 0-c0 2-c1 4-c2
    M17 white "Sheffield" home:SAM mountain=40@1 'Y' city:0
    M19 white "Doncaster" town:0
    M21 white water:20
    M23 white
    N4 red "Mid-Ireland" offboard:20,20,30,40 | 4-o0
    N6 white water:40
    N8 white
    N10 white wall@4 province@5
    N12 white water:20 wall@1
    N14 white
    N16 white mountain:40
    N18 N20 N22 N24 O5 white
    O7 white mountain:80
    O9 white mountain:40 province@4
    O11 white province@0,1,2
    O13 white "Crewe" town:0
    O15 white "Stoke-on-Trent" town:0
    O17 white "Derby" home:NM city:0
    O19 white "Nottingham" home:MC 'Y' city:0
    O21 O23 O27 O29 P4 P6 white
    P8 white mountain:40
    P10 white mountain:40 province@3,4,5
    P12 white province@1
    P14 white "Wolverhampton" home:GJ 'Y' city:0
    P16 white
    P18 white "Leicester" town:0
    P20 P22 P24 P26 white
    P28 white "Norwich" city:0
    P30 Q7 white
    Q9 white province@4
    Q11 white province@0,1,2
    Q13 white
    Q15 yellow "Birmingham" home:BG/0 'BGM' city:30 city:30 city:30 | 0-c0 2-c1 4-c2
    Q17 white "Coventry" town:0
    Q19 Q21 white
    Q23 white "Peterborough" town:0
    Q25 Q27 Q29 R6 white
    R8 white mountain:40
    R10 white mountain:40 province@3,4,5
    R12 white province@1
    R14 white "Worcester" stub@3 town:0
    R16 R18 white
    R20 white "Northampton" town:0
    R22 white
    R24 white "Cambridge" town:0
    R26 white
    R28 white "Ipswich" city:0
    R30 white
    S3 red "South Ireland" offboard:20,20,30,40 | 4-o0 5-o0
    S5 white
    S7 white mountain:40
    S9 white mountain:40 province@4
    S11 white province@0,1,2
    S13 S15 S17 S19 S21 S23 S25 white
    S27 white "Colchester" town:0
    S29 red "Harwich" offboard:10,20,30,40 | 1-o0 2-o0
    T4 T6 white
    T8 white mountain:40
    T10 white "Merthyr Tydfil" mountain:40 province@3,4 town:0
    T12 white province@0,1 water=80@5
    T14 white "Gloucester" water:20 town:0
    T16 T18 T20 white
    T22 white stub@5
    T24 white stub@0
    T26 T28 U5 white
    U7 white "Swansea" home:VN city:0
    U9 white "Rhondda" 'Y' city:0
    U11 white "Cardiff" home:TV province@3 water=80@4 wall@5 city:0
    U13 white "Bristol" home:BE water=80@1,2 'Y' city:0
    U15 white
    U17 white "Swindon" town:0
    U19 white "Reading" town:0
    U21 white water:20 stub@4
    U23 yellow "London" home:LS/0,LB/0,LR/1,LH/2,LY/3,EC/4,SE/5,EK/5 'London' city:40/2 city:40/2 city:40/2 city:40/2 city:40/2 city:40/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    U25 white water=80@0,5 stub@1
    U27 white "Southend" wall@0,5 town:0
    U29 blue | 0-5%
    V10 gray | 2-3
    V12 white wall@2
    V14 white "Bath" city:0
    V16 V18 V20 white
    V22 white "Guilford" stub@3 town:0
    V24 white water=80@3 stub@2
    V26 white "Chatham" water=80@2 wall@3 city:0
    V28 white "Canterbury" wall@2 town:0
    V30 red "Dover" offboard:20,30,40,50 | 0-o0 1-o0
    W9 W11 W13 W15 W17 W19 W21 W23 W25 W27 W29 white
    X8 red "Plymouth" offboard:20,30,40,40 | 3-o0 4-o0
    X10 X12 X14 white
    X16 white "Bournemouth" town:0
    X18 white "Southampton" 'Y' city:0
    X20 white "Portsmouth" city:0
    X22 white
    X24 white "Brighton" city:0
    X26 white
    """,
    Layout(is_flat=False, letter_is_x=False),
)
