"""Runs programs as `worker` does, but lets them draw as TensorFlow draws: for taking their time.

A draw takes many times as long where it is to be the same in each run: with a seed, and with what
stands in for it elsewhere.
"""

from __future__ import annotations

from tfxla_lint.sandbox.inside.service import Answer, serve
from tools.programs.worker import answering


def main() -> None:
    serve(prepare)


def prepare() -> Answer:
    return answering(is_seeded=False)
