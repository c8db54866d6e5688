"""Which ops draw random numbers, and whether a seed decides what they draw."""

from __future__ import annotations

PARTS = ("Random", "Multinomial", "TruncatedNormal", "Stateful", "StatelessShuffle", "Dropout")
OTHERS = {"RngReadAndSkip", "RngSkip"}
#: They give the same bits with and without XLA; only what is made of them to floats differs.
EXACT = {
    *OTHERS,
    "StatelessRandomGetKeyCounter",
    "StatelessRandomUniformFullInt",
    "StatelessRandomUniformFullIntV2",
}


def is_random(op: str) -> bool:
    if op in ("StatefulPartitionedCall",):
        return False
    return op in OTHERS or op.endswith("CandidateSampler") or any(part in op for part in PARTS)


def keeps_state(op: str) -> bool:
    """Random numbers from a hidden state, which XLA does not share with the rest of the program."""
    return is_random(op) and not op.startswith("Stateless") and op not in OTHERS
