"""What a file's bytes say, without parsing it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.notebooks.cases import notebook
from tfxla_lint.project.scan import ANY, LEGACY_SWITCH, code_of, scan, uses_tensorflow


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\n",
        "def f():\n    from tf_keras import layers\n",
        "from . import (\n    keras,\n)\n",
        "def f(keras):\n    return keras.Input([1])\n",
        "tf = __import__('tensorflow')\n",
        "tf = importlib.import_module(\n    'tensorflow'\n)\n",
        "tf = LazyLoader('tf', globals(), 'tensorflow')\n",
        "'''It's \"said\".''' ; keras.Input\n",
    ],
)
def test_code_that_names_tensorflow_uses_it(code: str) -> None:
    assert uses_tensorflow(code)
    assert uses_tensorflow(code.encode())


@pytest.mark.parametrize(
    "code",
    [
        "import torch\n",
        "# as keras has it\n",
        "HUGE = {'tensorflow', \"keras\"}\n",
        "'''What keras\nhas, and isn't \"here\".'''\n",
        "import_module('torch')  # not tensorflow\n",
        "class LazyValue: pass\nNAME = 'tensorflow'\n",
        "x = 'an open tensorflow\n",
        '"""an open tensorflow\n',
    ],
)
def test_words_for_tensorflow_are_no_use_of_it(code: str) -> None:
    assert not uses_tensorflow(code)
    assert not uses_tensorflow(code.encode())


@pytest.mark.parametrize("piece", ['"', "'", '"""\\', "lazy", "lazy(", "import ", "#\n", "\\'"])
def test_odd_files_are_looked_through_in_a_moment(piece: str) -> None:
    began = time.process_time()
    uses_tensorflow(f"'keras'\n{piece * 200_000}")
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("import sys; import ops\n", "ops"),
        ("try: import ops\nexcept ImportError: pass\n", "ops"),
        ("if True: from pk import ops\n", "pk.ops"),
        ("import os, \\\n    ops\n", "ops"),
        ("from pk \\\r\n    import ops\r\n", "pk.ops"),
        ("\ufeffimport ops\n", "ops"),
        ("\x0cimport ops\n", "ops"),
        ("from pk import (  # ... (slow)\n    other,\n    ops,\n)\n", "pk.ops"),
        ("from pk import(ops)\n", "pk.ops"),
        ("from . import ops\n", ".ops"),
        ("from .. pk import ops\n", "..pk.ops"),
        ("import pk . ops\n", "pk.ops"),
        ("import größe\n", "größe"),
        ("importlib.import_module('ops')\n", "ops"),
        ("'from pk import (so'\nimport ops\n", "ops"),
        ("'''\nfrom pk import (as\nthis\n'''\nfrom ops import (\n    rate)\n", "ops.rate"),
    ],
)
def test_imports_are_found_however_they_are_written(code: str, name: str) -> None:
    assert name in scan(code.encode()).imports


@pytest.mark.parametrize(
    ("code", "is_open"),
    [
        ("import importlib\nimportlib.import_module('ops')\n", False),
        ("from importlib import import_module\nimport_module('ops')\n", False),
        ("from importlib import import_module as load\nload('ops')\n", True),
        ("list(map(importlib.import_module, NAMES))\n", True),
        ("importlib.import_module('pk.' + name)\n", True),
        ("for each in pkgutil.iter_modules(__path__): pass\n", True),
        ("__path__.append('extra')\n", True),
        ("for each in metadata.entry_points(group='zoo'): each.load()\n", True),
        ("setup(entry_points={'console_scripts': ['run=pk.run:main']})\n", False),
        ("hydra.utils.instantiate(settings)\n", True),
        ("classes = ['fire hydrant']\n", False),
    ],
)
def test_what_loads_any_module(code: str, is_open: bool) -> None:
    assert (ANY in scan(code.encode()).reached) == is_open


@pytest.mark.parametrize(
    ("code", "is_any"),
    [
        ("subprocess.run([sys.executable, path])\n", True),
        ("os.system('python ' + path)\n", True),
        ("#!/usr/bin/env python\nos.system('clear')\n", False),
        ("subprocess.run(['git', 'log'])\n", False),
        ("run(sys.executable, path)\n", True),
        ("run(f'python -m {step}')\n", True),
        ("PYTHON = 'python3'\n", True),
        ("print('python is needed')\n", False),
    ],
)
def test_what_starts_python(code: str, is_any: bool) -> None:
    assert (ANY in scan(code.encode()).started) == is_any


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("load('.ops', 'pk')\n", ".ops"),
        ("attach({'_target_': 'pk.ops.rate'})\n", "pk.ops.rate"),
        ("plugins = {'rate': 'pk.ops:rate'}\n", "pk.ops:rate"),
        ("run('-m', 'pk.ops')\n", "pk.ops"),
        ("run('python -u -m pk.ops --fast')\n", "pk.ops"),
        ("run_module('pk')\n", "pk"),
        ("timeit('rate()', setup='from pk.ops import rate')\n", "pk.ops.rate"),
    ],
)
def test_what_texts_name(code: str, name: str) -> None:
    assert name in scan(code.encode()).said


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("%run ../ops.py", ANY),
        ("%run 'my ops.py'", ANY),
        ("%run 'ops.py' --fast", "ops"),
        ("%aimport ops", "ops"),
        ("%time import ops", "ops"),
        ("%timeit -n1 -r1 import ops", "ops"),
        ("r = %run ops", "ops"),
        ("%time %run ops.py", "ops"),
        ("get_ipython().run_line_magic('run', name)", ANY),
    ],
)
def test_what_a_magic_imports(cell: str, name: str) -> None:
    found = scan(code_of(notebook(cell)))
    assert name in (found.reached if name == ANY else found.imports)


@pytest.mark.parametrize(
    "cell", ["out = !python ops.py", "%sx python ops.py", "%%bash\npython ops.py"]
)
def test_what_a_cell_starts(cell: str) -> None:
    assert "ops" in scan(code_of(notebook(cell))).started


def test_code_of_a_notebook() -> None:
    data = notebook("from pk import (\n    ops,\n)\n%run steps", "!python worker.py\nx = 'ü'")
    found = scan(code_of(data))
    assert {"pk.ops", "steps"} <= set(found.imports)
    assert {"steps", "worker"} <= found.started
    assert scan(code_of(data[:-5])).imports == ("pk",)


def test_code_of_a_notebook_is_what_is_linted_of_it() -> None:
    cell = {"cell_type": "code", "input": ["import ops\n", "%run steps"]}
    old: dict[str, Any] = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [cell]}]}
    found = scan(code_of(json.dumps(old).encode()))
    assert {"ops", "steps"} <= set(found.imports)
    other = {**old, "metadata": {"kernelspec": {"name": "ir", "language": "R"}}}
    assert code_of(json.dumps(other).encode()) == b""


@pytest.mark.parametrize(
    "piece", ["import ", "from (", "from a import (", "#\n", "\\\n", ". ", "'", ":"]
)
def test_odd_files_are_scanned_in_a_moment(piece: str) -> None:
    began = time.process_time()
    scan((piece * (200_000 // len(piece))).encode())
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    ("code", "is_set"),
    [
        ("os.environ['TF_USE_LEGACY_KERAS'] = '1'\n", True),
        ("for name, value in read(): os.environ[name] = value\n", True),
        ("os.environ['TF_' + flag] = '1'\n", True),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = device\n", False),
        ("if os.environ[name] == '1': pass\n", False),
    ],
)
def test_what_may_ask_for_another_keras(code: str, is_set: bool) -> None:
    assert (LEGACY_SWITCH in scan(code.encode()).assigned) is is_set
