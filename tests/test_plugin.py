"""A plug-in as its author builds, tests and installs it: `tests/plugin` holds one."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint import testing

PACKAGE = Path(__file__).with_name("plugin")
BAD = "import tensorflow as tf\n\nx = tf.constant([2.0])\nprint(tf.pow(x, 2), tf.pow(x, 3))\n"
GOOD = BAD.replace("tf.pow(x, 2)", "tf.square(x)")


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The rule of the plug-in, as its own tests import it."""
    monkeypatch.syspath_prepend(str(PACKAGE))
    yield importlib.import_module("house_rules").RULES[0]
    for name in [name for name in sys.modules if name.startswith("house_rules")]:
        del sys.modules[name]


def test_an_author_says_what_a_rule_finds_and_makes(rule: Any, tmp_path: Path) -> None:
    testing.assert_bad(rule, BAD, [4])
    testing.assert_good(rule, GOOD)
    testing.assert_fixed(rule, BAD, GOOD)
    (found,) = testing.findings(rule, BAD)
    assert (found.code, found.message) == ("HSE001", "`tf.pow(x, 2)` is `tf.square(x)`")
    with pytest.raises(AssertionError, match=r"reported are the lines \[4\], not \[3\]"):
        testing.assert_bad(rule, BAD, [3])
    with pytest.raises(AssertionError, match="line 4: "):
        testing.assert_good(rule, BAD)
    with pytest.raises(AssertionError, match="the code is no Python"):
        testing.assert_good(rule, "x = = 1\n")
    for name, text in {"a_bad.py": BAD, "a_fixed.py": GOOD, "b_good.py": GOOD}.items():
        (tmp_path / name).write_text(text)
    testing.assert_folder(rule, tmp_path)
    (tmp_path / "a_fixed.py").unlink()
    with pytest.raises(AssertionError):
        testing.assert_folder(rule, tmp_path)


def test_the_page_shows_a_rule_and_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "plugins.md").read_text()
    rule, test = (part.split("```")[0] for part in page.split("```python\n")[1:])
    (tmp_path / "house_rules.py").write_text(rule)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "house_rules", raising=False)
    names: dict[str, Any] = {}
    exec(compile(test.replace(", run=True", ""), "plugins.md", "exec"), names)
    names["test_squares"]()
    del sys.modules["house_rules"]


def tool(folder: Path, site: Path | None, *arguments: str, **more: str) -> str:
    """What the command line prints where the plug-in is installed in `site`."""
    environment = {**os.environ, "PYTHONPATH": str(site) if site is not None else "", **more}
    command = [sys.executable, "-m", "tfxla_lint", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip has built and installed the plug-in into, without a network."""
    tree = tmp_path_factory.mktemp("tree") / "house-rules"
    shutil.copytree(PACKAGE, tree, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path_factory.mktemp("site")
    options = [
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        "--quiet",
        "--target",
        str(folder),
    ]
    command = [sys.executable, "-m", "pip", "install", *options, str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_an_installed_plugin_is_listed_runs_and_is_part_of_the_key(
    site: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(BAD)
    assert "HSE001  square-by-power" in tool(tmp_path, site, "rule", "--all")
    assert "from house-rules 1.2" in tool(tmp_path, site, "rule", "HSE001")
    arguments = ["--select", "HSE", "--output-format", "concise", "."]
    kept = tmp_path / ".tfxla_lint_cache"
    assert "is `tf.square(x)`" in tool(tmp_path, site, *arguments, TFXLA_LINT_NO_CACHE="")
    before = set(kept.rglob("*"))
    # Another version is not told what the first one found.
    other = tmp_path.with_name("other")
    shutil.copytree(site, other)
    (metadata,) = other.glob("*.dist-info")
    text = (metadata / "METADATA").read_text()
    (metadata / "METADATA").write_text(text.replace("Version: 1.2", "Version: 1.3"))
    assert "is `tf.square(x)`" in tool(tmp_path, other, *arguments, TFXLA_LINT_NO_CACHE="")
    assert set(kept.rglob("*")) > before


def test_a_plugin_that_lies_in_the_linted_folder_is_not_loaded(site: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(site, project)
    (project / "house_rules" / "square.py").write_text("open('was-run', 'w')\n")
    (project / "a.py").write_text(BAD)
    by_command = ["-m", "tfxla_lint", "--select", "ALL", "a.py"]
    for arguments, path in ((by_command, ""), (["-c", CALL], ""), (["-c", CALL], str(site))):
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        # What is installed is found past what has its name in the linted folder.
        assert ("HSE001" in done.stdout) is bool(path)
    assert not (project / "was-run").exists()


CALL = """\
import tfxla_lint
print([finding.code for finding in tfxla_lint.check(open("a.py").read(), select=["ALL"])])
"""
