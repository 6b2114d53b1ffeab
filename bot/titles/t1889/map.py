"""The map of 1889. Columns are letters, numbers run down the column."""

from bot.engine.board import Layout, parse_map

HEXES = """
    F1 red "Imabari" offboard:yellow=30,brown=60,diesel=100 | 0-o0 1-o0
    J1 red "Sakaide & Okayama" offboard:yellow=20,brown=40,diesel=80 | 0-o0 1-o0
    E2 white "Matsuyama" home:IR city:0
    I2 white "Marugame" home:SR city:0
    B3 gray "Yawatahama" town:20 | 0-t0 t0-5
    D3 white
    F3 white "Saijou" city:0
    H3 J3 white
    C4 yellow "Ohzu" private:ER city:20 | 2-c0
    E4 white mountain:80
    G4 white "Niihama" city:0
    I4 white "Kotohira" cost:80 'H' city:0
    K4 yellow "Takamatsu" home:KO private:TE 'T' city:30 | 0-c0 1-c0 2-c0
    B5 white
    D5 F5 white mountain:80
    H5 white water|mountain:80
    J5 white "Ritsurin Kouen" town:0
    C6 E6 G6 white mountain:80
    I6 white water|mountain:80
    K6 white water:80
    B7 gray "Uwajima" home:UR city:40/2 | 1-c0 3-c0 5-c0
    D7 F7 white mountain:80
    H7 white "Ikeda" city:0
    J7 gray | 1-5
    L7 red "Naruto & Awaji" offboard:yellow=20,brown=40,diesel=80 | 1-o0 2-o0
    A8 white mountain:80
    C8 E8 white
    G8 white mountain:80
    I8 white
    K8 white "Tokushima" home:AR city:0
    B9 white mountain:80
    D9 white
    F9 green "Kouchi" cost:80 home:TR 'K' city:30/2 | 2-c0 3-c0 4-c0 5-c0
    H9 white mountain:80
    J9 white "Komatsujima" *port town:0
    A10 white "Sukumo" city:0
    C10 white "Kubokawa" home:KU city:0
    G10 white "Nangoku" *port town:0
    I10 white
    B11 white "Nakamura" *port town:0
    H11 white mountain:80
    J11 white "Anan" city:0
    G12 white "Nahari" city:0
    I12 white "Muki" *port town:0
    H13 white mountain:80
    G14 gray "Muroto" town:20 | 3-t0 t0-4
    """

MAP = parse_map(HEXES, Layout(is_flat=True, letter_is_x=True))
BEGINNERS_MAP = parse_map(
    HEXES.replace(" *port", "").replace(" private:ER", "").replace(" private:TE", ""),
    Layout(is_flat=True, letter_is_x=True),
)
"""Without the signs of privates: they have no powers."""
