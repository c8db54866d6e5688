"""Short names of contents, and where what is kept under such names lies."""

from __future__ import annotations

try:
    # `hashlib` loads OpenSSL first, which takes longer than looking up a whole hook's files.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

#: Where what was found out is kept, at the top of a project.
CACHE_FOLDER = ".tfxla_lint_cache"
_BYTES = 16


def digest(data: bytes) -> str:
    """A name that no other content has."""
    return blake2b(data, digest_size=_BYTES).hexdigest()
