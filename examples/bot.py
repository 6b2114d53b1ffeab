"""Plays its seats to the end of the game: `python examples/bot.py 'ADDRESS'`, with the address that `board token` prints."""

import json
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

WEIGHTS = {"run": 900, "buy_train": 300, "buy": 300, "lay": 300, "dividend": 100, "par": 60, "token": 60}
WEIGHTS |= {"bid": 40, "buy_private": 20, "pass": 20, "answer": 20, "sell": 4}


def ask(address, path, body=None):
    """The answer of the API; None if the move was not made."""
    base, _, token = address.partition("#")
    content = None if body is None else json.dumps(body).encode()
    try:
        return urlopen(Request(base + path, content, {"Authorization": f"Bearer {token}"}), timeout=60)
    except HTTPError as refusal:
        if refusal.code == 429:
            time.sleep(int(refusal.headers["Retry-After"]))
            return ask(address, path, body)
        if refusal.code in (403, 409, 422):
            return None
        raise


def choose(moves, chance):
    """A verb by its weight, then one of its moves: trains of the bank alone; companies pay out nine times of ten."""
    verbs = {}
    bank = [move for move in moves if " from " not in move["text"] or "buy_train" not in str(move["action"])]
    for move in bank or moves:
        verbs.setdefault((move["action"] or {"verb": "run"})["verb"], []).append(move)
    verb = chance.choices(list(verbs), [WEIGHTS.get(verb, 1) for verb in verbs])[0]
    pays = [move for move in verbs[verb] if move["text"].endswith(" pay") and chance.random() < 0.9]
    return chance.choice(pays or verbs[verb])["text"]


def play(address, chance):
    for line in ask(address, "/stream"):
        news = json.loads(line[6:]) if line.startswith(b"data: ") else {"status": "", "is_asked": False}
        while news["is_asked"] and (listed := json.load(ask(address, "/moves")))["is_asked"]:
            ask(address, "/move", {"move": choose(listed["moves"], chance), "version": listed["version"]})
        if news["status"] == "finished":
            return


if __name__ == "__main__":
    play(sys.argv[1], random.Random())
