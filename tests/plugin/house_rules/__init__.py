"""Rules of a house: an example of a plug-in for tfxla-lint."""

from house_rules.square import SquareByPower

RULES = [SquareByPower]
