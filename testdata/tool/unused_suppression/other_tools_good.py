# Codes of other tools, and a bare `noqa`, are not ours to call unused.
import os, sys  # noqa: E401
import tensorflow as tf  # noqa: F401

# A bare noqa speaks to every tool and is never called unused.
path = os.path.join(sys.prefix, "lib")  # noqa
