"""The calls, by the seed with which their endpoints were drawn."""

from __future__ import annotations

from tools.probe_endpoints.calls import (
    first_functions,
    first_keras,
    first_numpy_and_v1,
    second_functions,
    second_keras,
    second_keras_objects,
    second_numpy_and_v1,
)
from tools.probe_endpoints.case import Builder

DRAWN = {
    20261121: (first_functions, first_numpy_and_v1, first_keras),
    20261122: (second_functions, second_numpy_and_v1, second_keras, second_keras_objects),
}


def of_seed(seed: int) -> dict[str, Builder]:
    return {name: build for part in DRAWN[seed] for name, build in part.CALLS.items()}
