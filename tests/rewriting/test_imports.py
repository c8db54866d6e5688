from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.edits import InsertBefore, Replace
from tfxla_lint.rewriting.layout import RewriteRefused

from .tree import StandIn, fix_of, new, rewritten

TF = ("tensorflow", "tf")


def add(text: str, *imports: tuple[str, str]) -> str:
    return rewritten(StandIn(text), imports=imports or (TF,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1\n", "import tensorflow as tf\n\nx = 1\n", id="nothing"),
        pytest.param("# h\nx = 1\n", "# h\nimport tensorflow as tf\n\nx = 1\n", id="header"),
        pytest.param(
            "#!/x\n# coding: utf-8\n\nx = 1\n",
            "#!/x\n# coding: utf-8\n\nimport tensorflow as tf\n\nx = 1\n",
            id="coding",
        ),
        pytest.param(
            '"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nimport tensorflow as tf\n\nx = 1\n', id="doc"
        ),
        pytest.param(
            '"""Doc."""\nfrom __future__ import annotations\n\nimport os\n\nx = 1\n',
            '"""Doc."""\nfrom __future__ import annotations\n\nimport os\n'
            "import tensorflow as tf\n\nx = 1\n",
            id="imports",
        ),
        pytest.param(
            "import os\nos.environ['A'] = 'b'\nfrom tensorflow import keras\nimport sys\n",
            "import os\nos.environ['A'] = 'b'\nimport tensorflow as tf\n"
            "from tensorflow import keras\nimport sys\n",
            id="above-what-is-taken-from-the-package",
        ),
        pytest.param(
            "import os\ntry:\n    import a\nexcept ImportError:\n    a = None\n",
            "import os\nimport tensorflow as tf\ntry:\n    import a\nexcept ImportError:\n    a = None\n",
            id="not-inside-try",
        ),
        pytest.param("from . import a", "from . import a\nimport tensorflow as tf", id="open-end"),
        pytest.param(
            "import os\r\nx = 1\r\n",
            "import os\r\nimport tensorflow as tf\r\nx = 1\r\n",
            id="carriage-returns",
        ),
        pytest.param(
            "def f():\n    import tensorflow as tf\n",
            "import tensorflow as tf\n\n\ndef f():\n    import tensorflow as tf\n",
            id="local-import",
        ),
    ],
)  # fmt: skip
def test_add(text: str, expected: str) -> None:
    assert add(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\nx = 1\n",
        "import os, tensorflow as tf\n",
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n",
        "if x:\n    import tensorflow as tf\n",
    ],
)
def test_known(text: str) -> None:
    assert add(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "import tflearn as tf\n",
        "import tensorflow.compat.v2 as tf\n",
        "tf = 1\n",
        "def f(tf): pass\n",
        "def tf(): pass\n",
        "for tf in x: pass\n",
        "x = [tf for tf in y]\n",
        "with a as tf: pass\n",
        "(a, *tf) = x\n",
        "match x:\n    case {**tf}: pass\n",
        "match x:\n    case [tf]: pass\n",
    ],
)
def test_taken(text: str) -> None:
    with pytest.raises(RewriteRefused, match="`tf` is the name of something else"):
        add(text)


def test_spellings() -> None:
    assert add("import tensorflow\nx = 1\n", ("tensorflow", "tensorflow")).count("import") == 1
    assert add("x = 1\n", ("numpy", "numpy")).startswith("import numpy\n")
    text = add("import tensorflow as tf\n", ("tensorflow.keras", "keras"))
    assert text == "import tensorflow as tf\nfrom tensorflow import keras\n"
    assert add(text, ("tensorflow.keras", "keras")) == text


def test_several_imports_and_an_edit() -> None:
    tree = StandIn("import os\n\nx = 1\n")
    edit = InsertBefore(tree.statement("x"), new("y = np.zeros(1)\n"))
    assert rewritten(tree, edit, imports=[("numpy", "np"), TF, TF]) == (
        "import os\nimport numpy as np\nimport tensorflow as tf\n\ny = np.zeros(1)\nx = 1\n"
    )


def test_an_import_below_its_use_is_refused() -> None:
    tree = StandIn("x = a\nfrom tensorflow import keras\n")
    with pytest.raises(RewriteRefused, match="below"):
        fix_of(tree, Replace(tree.find(cst.Name, "a"), "tf.x"), imports=[TF])
