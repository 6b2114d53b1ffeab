"""What pyproject.toml cannot say: the folder `assets` at the top of the tree travels inside the package, as `bot/share`."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["bot*"]), "bot.share"],
    package_dir={"bot.share": "assets"},
    package_data={
        "bot.share": ["*/*"],
        "bot.commands.web": ["static/*", "templates/*"],
        "bot.commands.mail": ["templates/*"],
        "": ["title.toml", "chances.json", "moves.json", "common_moves.json", "puzzles.json", "*.po"],
    },
)
