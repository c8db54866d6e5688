"""Imports find the files that Python would find."""

from __future__ import annotations

import pytest

from tfxla_lint.project.layout import Layout, Place
from tfxla_lint.project.scan import scan

LAYOUT = Layout(
    [
        "train.py",
        "utils.py",
        "random.py",
        "tensorflow/__init__.py",
        "scripts/run.py",
        "scripts/utils.py",
        "pkg/__init__.py",
        "pkg/steps.py",
        "pkg/nets/__init__.py",
        "pkg/nets/dense.py",
        "pkg/bare/deep.py",
        "src/lib_in_src/__init__.py",
    ]
)


@pytest.mark.parametrize(
    ("importer", "name", "file"),
    [
        ("train.py", "utils", "utils.py"),
        ("train.py", "random", "random.py"),
        ("scripts/run.py", "utils", "scripts/utils.py"),
        ("scripts/run.py", "pkg.steps", "pkg/steps.py"),
        ("pkg/steps.py", "pkg.nets.dense", "pkg/nets/dense.py"),
        ("pkg/steps.py", "pkg.nets", "pkg/nets/__init__.py"),
        ("pkg/nets/dense.py", ".", "pkg/nets/__init__.py"),
        ("pkg/nets/dense.py", "..steps", "pkg/steps.py"),
        ("pkg/nets/dense.py", "..", "pkg/__init__.py"),
        ("pkg/steps.py", "utils", "utils.py"),
        ("pkg/steps.py", "lib_in_src", "src/lib_in_src/__init__.py"),
        ("train.py", "pkg.bare.deep", "pkg/bare/deep.py"),
    ],
)
def test_finds(importer: str, name: str, file: str) -> None:
    place = LAYOUT.find(name, importer)
    assert place is not None
    assert place.file == file


@pytest.mark.parametrize(
    ("importer", "name"),
    [
        ("train.py", "steps"),
        ("train.py", "pkg.nowhere"),
        ("train.py", "tensorflow"),
        ("pkg/steps.py", "random"),
        ("train.py", "numpy.random"),
        ("train.py", "...up"),
        ("utils.py", "utils"),
        ("scripts/utils.py", "utils"),
    ],
)
def test_knows_what_is_not_of_the_project(importer: str, name: str) -> None:
    assert LAYOUT.find(name, importer) is None


def test_a_folder_without_init_is_a_package_without_a_file() -> None:
    assert LAYOUT.find("pkg.bare", "train.py") == Place(None, "pkg/bare")


SCANS = {
    "jobs/train.py": scan(
        b"import sys\nsys.path.insert(0, '../shared')\n"
        b"from helpers import step\nfrom nets import Dense, width\nfrom losses import mse\n"
        b"import nets\nfrom tqdm import tqdm\nfrom twins import one\nfrom stars import *\n"
    ),
    "jobs/joined.py": scan(
        b"import sys\nsys.path.append(os.path.join(HERE, '..', 'shared'))\nimport helpers\n"
    ),
    "jobs/plain.py": scan(b"import helpers, nets\n"),
    "shared/helpers.py": scan(b"def step():\n    pass\n"),
    "deep/nets.py": scan(b"width: int = 3\n\nclass Dense:\n    pass\n"),
    "deep/losses.py": scan(b"def mae():\n    pass\n"),
    "wrappers/tqdm.py": scan(b"def bar():\n    pass\n"),
    "a/twins.py": scan(b"one = 1\n"),
    "b/twins.py": scan(b"one = 1\n"),
    "a/stars.py": scan(b"one = 1\n"),
}


@pytest.mark.parametrize(
    ("importer", "name", "file"),
    [
        ("jobs/train.py", "helpers", "shared/helpers.py"),
        ("jobs/joined.py", "helpers", "shared/helpers.py"),
        ("jobs/plain.py", "helpers", None),
        ("jobs/train.py", "nets", "deep/nets.py"),
        ("jobs/plain.py", "nets", None),
        ("jobs/train.py", "losses", None),
        ("jobs/train.py", "tqdm", None),
        ("jobs/train.py", "twins", None),
        ("jobs/train.py", "stars", None),
    ],
)
def test_finds_what_a_changed_search_path_leads_to(
    importer: str, name: str, file: str | None
) -> None:
    place = Layout(SCANS, SCANS).find(name, importer)
    assert (place.file if place is not None else None) == file


ROOT_PACKAGE = {
    "__init__.py": b"",
    "steps/__init__.py": b"",
    "steps/train.py": b"from flow.nets import Dense\nfrom torch.nn import Linear, utils\n",
    "nets.py": b"import torch.optim\nimport numpy as np\n",
    "run.py": b"import flow.steps.train as t\nfrom flow.steps import train\nimport steps.gone\n",
}


@pytest.mark.parametrize(
    ("left_out", "name", "file"),
    [
        ("", "flow.nets", "nets.py"),
        ("", "flow.steps.train", "steps/train.py"),
        ("", "flow", "__init__.py"),
        ("", "torch.nn", None),
        ("", "torch.nets", None),
        ("__init__.py", "flow.nets", None),
        ("nets.py", "flow.steps", None),
    ],
)
def test_a_root_that_is_a_package_is_called_as_its_files_import_it(
    left_out: str, name: str, file: str | None
) -> None:
    scans = {path: scan(text) for path, text in ROOT_PACKAGE.items() if path != left_out}
    place = Layout(scans, scans).find(name, "run.py")
    assert (place.file if place is not None else None) == file
