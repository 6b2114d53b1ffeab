"""The words of actions: what a verb is, and the verbs that titles share."""

from .fields import TYPES, FieldType, check_name, name_field, near_words, number
from .messages import (
    TABLE,
    capitalise,
    format_president,
    format_price_move,
    format_train,
    format_treasury_purchase,
    hex_name,
    lot_name,
    may_pass,
    money,
    narrate,
    question,
    round_and_phase,
    run_lines,
    short_question,
)
from .text import format_action, parse_action, verb_words

__all__ = [
    "TABLE",
    "TYPES",
    "FieldType",
    "capitalise",
    "check_name",
    "format_action",
    "format_president",
    "format_price_move",
    "format_train",
    "format_treasury_purchase",
    "hex_name",
    "lot_name",
    "may_pass",
    "money",
    "name_field",
    "narrate",
    "near_words",
    "number",
    "parse_action",
    "question",
    "round_and_phase",
    "run_lines",
    "short_question",
    "verb_words",
]
