"""The map of 1848. Rows are letters, numbers run along the row; `gauge` is a change of gauge (1848 §7.6)."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    A4 A6 red "Alice Springs" offboard:10,20,40,60 | 5-o0! 0-o0!
    A18 red "Cairns" offboard:10,20,30,40 | 5-o0! 0-o0!
    B3 white desert:40
    B5 white
    B7 white desert:40 gauge@4,5
    B9 white desert:40 gauge@1
    B11 B13 B15 white
    B17 white "Toowoomba & Ipswich" 'OO' city:0 city:0
    B19 white "Brisbane" later:K city:0
    B21 blue town:10,10,20,20 | 0-t0
    C2 C4 white desert:40
    C6 white gauge@4
    C8 white desert:40 gauge@0,1,2,5
    C10 C12 C14 C16 white gauge@0,5
    C18 white mountain:50 gauge@0,5 town:0 town:0
    C20 white "Southport" gauge@0 city:0
    D1 red "Perth" 'K' city:20,40,60,80 | 4-c0! 5-c0! 3-c0!
    D3 white town:0 town:0
    D5 white
    D7 white gauge@3,4,5
    D9 white "Broken Hill" gauge@1,2,3 city:0
    D11 D13 D15 white gauge@2,3
    D17 white mountain:50 gauge@2,3
    D19 white gauge@2,3
    E2 white "Whyalla" city:0
    E4 white "Port Augusta" city:0
    E6 white desert:40 gauge@4
    E8 white desert:40 gauge@0,1,2,5
    E10 white gauge@0
    E12 white
    E14 white "Dubbo" city:0
    E16 white mountain:50
    E18 white "Newcastle" city:0
    F3 blue "Port Lincoln" town:10,10,20,20 | 2-t0
    F5 white "Port Pirie" city:0
    F7 white gauge@3,4,5
    F9 white gauge@1,2,3,4
    F11 white gauge@0,1,5
    F13 white "Wagga Wagga" gauge@0 city:0
    F15 white "Orange & Bathurst" mountain:50 'OO' city:0 city:0
    F17 white "Sydney" later:K city:0
    G6 white "Adelaide" later:K gauge@4 city:0
    G8 white gauge@0,1,2
    G10 white "Ballarat & Bendigo" gauge@3 'OO' city:0 city:0
    G12 white gauge@2,3,4 town:0 town:0
    G14 white "Canberra" gauge@0,1,5 city:0
    G16 white "Wollongong" mountain:50 gauge@0 city:0
    H7 white "Mount Gambier" gauge@3,4 city:0
    H9 white "Geelong" gauge@1 city:0
    H11 white "Melbourne" later:K city:0
    H13 white mountain:50 gauge@3
    H15 white mountain:50 gauge@2,3
    I8 I10 blue
    I21 red "BOE Payout" offboard:0,100,200,300
    """,
    Layout(is_flat=False, letter_is_x=False),
)
