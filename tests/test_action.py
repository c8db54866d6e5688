"""The Action's own steps, run in a shallow checkout of a pull request; the examples of the docs."""

from __future__ import annotations

import itertools
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint.settings.layer import OUTPUT_FORMATS

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]
CI = (ROOT / "docs" / "ci.md").read_text()
OLD = "import tensorflow as tf\n\nx = tf.nope\n"
NEW = OLD + "y = tf.nada\n"
_EXPRESSION = re.compile(r"\$\{\{ ?(.*?) ?\}\}")
_NAME = re.compile(r"(inputs|steps|github)(?:\.[\w-]+)+")
GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]


def git(folder: Path, *words: str) -> str:
    done = subprocess.run([*GIT, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which a branch is to be pulled into a main branch that went on."""
    folder = tmp_path_factory.mktemp("origin")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    for branch, name, text in (
        ("main", "old.py", OLD),
        ("topic", "old.py", NEW),
        ("main", "other.py", OLD),
    ):
        known = git(folder, "branch", "--list", branch)
        git(folder, "switch", "-q", *([branch] if known else ["-C", branch]))
        (folder / name).write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "state")
    git(folder, "switch", "-qc", "merged")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    return folder


class Runner:
    """Runs the steps as GitHub would, with what they install and `gh` replaced."""

    def __init__(self, folder: Path, origin: Path, comments: str = "") -> None:
        self.temp, self.bin = folder / "temp", folder / "bin"
        self.workspace = folder / "work"
        self.outputs: dict[str, dict[str, str]] = {"python": {}}
        self._sha = git(origin, "rev-parse", "merged")
        self._base = git(origin, "rev-parse", "main~1")
        self.temp.mkdir()
        self.bin.mkdir()
        git(folder, "clone", "-q", "--depth=1", "--branch=merged", f"file://{origin}", "work")
        tool = Path(sys.executable).parent / "tfxla-lint"
        venv = f'mkdir -p "$3/bin" && ln -s {tool} "$3/bin/tfxla-lint" && ln -s {self.bin}/pip "$3/bin"'
        self._script("python3", venv)
        self._script("pip", f'echo "$@" >> {self.temp}/pip')
        listing = f'if [ "$2" = --paginate ]; then printf "{comments}"; fi'
        keep = f'for last; do :; done; cp "${{last#body=@}}" {self.temp}/body 2> /dev/null || true'
        self._script("gh", f'echo "$@" >> {self.temp}/gh\n{keep}\n{listing}')

    def _script(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IEXEC)

    def run(self, only: str = "", **given: str) -> tuple[int, str]:
        """The status of the last step, and all output; of one step if that is named."""
        inputs = {name: str(row.get("default", "")) for name, row in ACTION["inputs"].items()}
        inputs |= {"base": self._base, "token": "t"}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        names = {f"inputs.{name}": value for name, value in inputs.items()}
        names["github.event.pull_request.number"] = "7"
        status, printed = 0, ""
        for step in STEPS:
            for name, outputs in self.outputs.items():
                names |= {f"steps.{name}.outputs.{key}": v for key, v in outputs.items()}
            is_left_out = only not in ("", step["name"]) or "run" not in step
            if is_left_out or not _holds(step.get("if", ""), names):
                continue
            status, text = self._step(step, names)
            printed += text
            if status:
                break
        return status, printed

    def _step(self, step: Mapping[str, Any], names: Mapping[str, str]) -> tuple[int, str]:
        output = self.temp / "output"
        output.write_text("")
        environment = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(self.temp),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_REPOSITORY": "me/mine",
            "GITHUB_SHA": self._sha,
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
        }
        environment |= {name: _filled(value, names) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        rows = (line.partition("=") for line in output.read_text().splitlines())
        self.outputs.setdefault(step.get("id", ""), {}).update({k: v for k, _, v in rows})
        return done.returncode, done.stdout


def _filled(text: str, names: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda m: names.get(m[1], ""), str(text))


def _holds(condition: str, names: Mapping[str, str]) -> bool:
    """Whether a condition of names, texts, `==`, `!=` and `&&` holds."""
    text = condition.removeprefix("${{").removesuffix("}}").strip()
    code = _NAME.sub(lambda m: repr(names.get(m[0], "")), text).replace("&&", "and")
    return not text or bool(eval(code, {}))


@pytest.fixture
def runner(tmp_path: Path, origin: Path) -> Runner:
    return Runner(tmp_path, origin)


def test_what_the_pull_request_brings_is_annotated(runner: Runner) -> None:
    status, printed = runner.run(comment="true")
    assert status == 1
    commands = [line for line in printed.splitlines() if line.startswith("::")]
    assert len(commands) == 1, printed
    assert commands[0].startswith("::error title=TXL501 unknown-symbol,file=old.py,line=4,")
    assert "tf.nada" in (runner.temp / "summary.md").read_text()
    run = json.loads((runner.temp / "tfxla-lint.sarif").read_text())["runs"][0]
    assert len(run["results"]) == 1
    assert (runner.temp / "pip").read_text().split()[-1] == str(ROOT)
    assert (
        "--method POST repos/me/mine/issues/7/comments -F body=@"
        in (runner.temp / "gh").read_text()
    )
    assert (runner.temp / "body").read_text().startswith("<!-- tfxla-lint -->\n## tfxla-lint\n")


def test_a_comment_is_written_anew_in_its_place(tmp_path: Path, origin: Path) -> None:
    runner = Runner(tmp_path, origin, "41\\n42\\n")
    page = runner.temp / "page.md"
    page.write_text("No findings.\n")
    runner.outputs["lint"] = {"page": str(page), "status": "0"}
    assert runner.run("Comment", comment="true")[0] == 0
    assert "--method PATCH repos/me/mine/issues/comments/41 " in (runner.temp / "gh").read_text()


def test_inputs_are_no_code(runner: Runner) -> None:
    status, _ = runner.run(
        paths="old.py\n$(touch pwned)", args='--select\nTXL3"; touch pwned; "', base="none"
    )
    assert status == 2
    assert not (runner.workspace / "pwned").exists()


def test_everything_can_be_linted(runner: Runner) -> None:
    status, printed = runner.run(base="none", paths="old.py\nother.py", args="--exit-zero")
    assert (status, printed.count("::error ")) == (0, 2), "one line for each file"
    assert not (runner.temp / "gh").exists()


def test_no_expression_stands_in_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert step.get("shell") == ("bash" if "run" in step else None)


def test_the_action_is_what_its_schema_asks_for() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    package = pytest.importorskip("check_jsonschema")
    folder = Path(package.__file__).parent / "builtin_schemas" / "vendor"
    schema = json.loads((folder / "github-actions.json").read_text())
    jsonschema.validate(ACTION, schema)
    checked = []
    for block in blocks("yaml"):
        found = yaml.safe_load(block)
        name = "github-workflows" if "on" in found or True in found else None
        name = "gitlab-ci" if "tfxla-lint" in found else name
        if name is not None:
            found = {"on" if key is True else key: value for key, value in found.items()}
            jsonschema.validate(found, json.loads((folder / f"{name}.json").read_text()))
            checked.append(name)
    assert set(checked) == {"github-workflows", "gitlab-ci"}


def blocks(language: str) -> Iterator[str]:
    """The blocks of a language in docs/ci.md."""
    yield from re.findall(rf"```{language}\n(.*?)```", CI, re.DOTALL)


def test_the_table_of_inputs_is_whole() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|([^|]*)\|", CI, re.MULTILINE)
    assert [name for name, _ in rows] == list(ACTION["inputs"])
    for name, default in rows:
        value = ACTION["inputs"][name]["default"]
        if "${{" not in value:
            assert default.strip("` ") == value.strip()


def test_the_examples_name_options_that_exist() -> None:
    from tfxla_lint.cli.check import check

    known = {name for parameter in check.params for name in parameter.opts}
    texts = [*blocks("sh"), *blocks("yaml")]
    lines = [line for text in texts for line in text.splitlines() if "tfxla-lint " in line]
    lines = [line for line in lines if "uses:" not in line and "docker build" not in line]
    assert len(lines) >= 7
    for line in lines:
        words = line.partition("tfxla-lint ")[2].split("|")[0].split()
        assert {word for word in words if word.startswith("--")} <= known
        for word, value in itertools.pairwise(words):
            assert word != "--output-format" or value in OUTPUT_FORMATS


def test_the_container_is_built_from_what_is_there() -> None:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    steps = [line.split(None, 1) for line in text.splitlines() if line and line[0] != "#"]
    assert {word for word, _ in steps} <= {"FROM", "ARG", "RUN", "COPY", "WORKDIR", "ENTRYPOINT"}
    assert json.loads(steps[-1][1]) == ["tfxla-lint"]
    ignored = set((ROOT / ".dockerignore").read_text().split())
    assert not ignored & {"README.md", "pyproject.toml", "setup.py", "rules", "tfxla_lint"}
