"""What the linter says with a profile that it does not say without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.profile.test_recording import content, function
from tfxla_lint.findings import Finding
from tfxla_lint.linter import Linter
from tfxla_lint.recording import places
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

SOURCE = """\
import tensorflow as tf
from elsewhere import batches, config


@tf.function
def step(x, n):
    return tf.reduce_sum(x) * n


@tf.function
def collapse(x):
    return tf.reduce_sum(tf.square(x))


class Holder:
    @tf.function
    def run(self, x):
        return x


def make():
    @tf.function
    def inner(x):
        return x + 1.0

    return inner


w = tf.Variable(tf.ones([4]))


def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - x))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def main():
    for x in batches:
        step(x, config.n)
        y = tf.sin(tf.cos(tf.tan(tf.exp(tf.abs(tf.square(tf.ones([3])))))))
        y = tf.sin(tf.cos(tf.tan(tf.exp(tf.abs(tf.square(y))))))
        tf.print(tf.reduce_sum(y))
        update(tf.ones([4]))


main()
"""


class Profile:
    """A profile file in the making."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._functions: list[dict[str, Any]] = []
        self._loops: list[dict[str, Any]] = []

    def function(self, qualname: str, source: str = SOURCE, **more: Any) -> None:
        """Add what was recorded of a function of a source."""
        place = next(p for p in places(source) if p.qualname == qualname and not p.is_loop)
        known = {"path": "a.py", "qualname": qualname, "line": place.line, "digest": place.digest}
        self._functions.append({**function(), **known, **more})

    def traced(
        self,
        qualname: str,
        because: str,
        argument: str | None,
        source: str = SOURCE,
        **aspects: Any,
    ) -> None:
        """Add a function that was traced 41 times in 50 calls."""
        calls = {"eager": 0, "graph": 50, "traced": 41, "symbolic": 0}
        retrace = {"argument": argument, "because": because, "times": 40}
        given = {"name": argument, "kinds": {"distinct": 1, "most": [["python", 50]]}, **aspects}
        self.function(
            qualname,
            source,
            calls=calls,
            traces=41,
            tf_functions=41 if argument is None else 1,
            retraces=[retrace],
            arguments=[given] if argument is not None else [],
        )

    def loop(self, qualname: str, entries: int, turns: int) -> None:
        """Add what was recorded of a loop of SOURCE."""
        place = next(p for p in places(SOURCE) if p.qualname == qualname and p.is_loop)
        known = {"path": "a.py", "qualname": qualname, "line": place.line, "digest": place.digest}
        seconds = {"count": turns, "total": 0.004 * turns, "median": 0.004}
        self._loops.append({**known, "entries": entries, "turns": turns, "seconds": seconds})

    def findings(self, source: str = SOURCE) -> dict[str, str]:
        """The findings for the source, code to message."""
        return {finding.code: finding.message for finding in self.all(source)}

    def all(self, source: str, *also: str) -> list[Finding]:
        """The findings for the source, with those of rules that are off by default."""
        text = json.dumps(content(*self._functions, loops=self._loops))
        self.path.write_text(text)
        catalogue = read_catalogue()
        selected = catalogue.defaults | set(also)
        options = LintOptions(selected, catalogue.codes, None, str(self.path))
        result = Linter(catalogue, options).lint(Source(str(self.path.parent / "a.py"), source))
        assert not result.crashed
        return list(result.findings)


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return Profile(tmp_path / "profile.json")


def test_without_records_nothing_changes(profile: Profile) -> None:
    assert profile.findings() == Profile(profile.path).findings()
    assert not {"TXL202", "TXL203"} & set(profile.findings())


def test_values_that_were_seen_to_vary_are_reported(profile: Profile) -> None:
    profile.traced("step", "value", "n", values={"distinct": 41, "most": [["1", 10]]})
    assert profile.findings()["TXL202"] == (
        "in the recorded run `step` was traced 41 times in 50 calls: `n` took 41 Python values, and"
        " each is traced for itself"
    )


def test_shapes_that_were_seen_to_vary_are_reported(profile: Profile) -> None:
    profile.traced("collapse", "shape", "x", shapes={"distinct": 41, "most": [["[3, 4]", 10]]})
    assert profile.findings()["TXL203"] == (
        "in the recorded run `collapse` was traced 41 times in 50 calls: `x` took 41 shapes, and"
        " each is traced for itself; `reduce_retracing=True` makes it two"
    )


def exact(name: str, shape: list[int | None], shapes: int) -> dict[str, Any]:
    """What is recorded of an argument that was a tensor in each call."""
    return {
        "name": name,
        "kinds": {"distinct": 1, "most": [["tensor", 50]]},
        "dtypes": {"distinct": 1, "most": [["float32", 50]]},
        "shapes": {"distinct": shapes, "most": [["[3, 4]", 10]]},
        "shape": shape,
    }


LAYERED = """\
import tensorflow as tf
from elsewhere import rows

layer = tf.keras.layers.Dense(2)


@tf.function
def apply(x):
    return layer(tf.square(x))


apply(tf.constant(rows))
"""


@pytest.mark.parametrize("code", ["TXL203", "TXL208"])
def test_what_a_run_passed_is_offered_as_a_signature(code: str, profile: Profile) -> None:
    profile.traced("apply", "shape", "x", source=LAYERED)
    profile._functions[-1]["arguments"] = [exact("x", [None, 4], 41)]
    (fix,) = [f.fix for f in profile.all(LAYERED, "TXL208") if f.code == code]
    assert fix is not None
    assert [edit.text for edit in fix.edits] == [
        "tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])"
    ]


@pytest.mark.parametrize("aspect", ["kinds", "dtypes"])
def test_what_was_no_tensor_of_one_dtype_has_no_signature(aspect: str, profile: Profile) -> None:
    profile.traced("apply", "shape", "x", source=LAYERED)
    both = {"distinct": 2, "most": [["python", 10], ["int32", 40]]}
    profile._functions[-1]["arguments"] = [{**exact("x", [None, 4], 41), aspect: both}]
    assert [f.fix for f in profile.all(LAYERED, "TXL208") if f.code == "TXL208"] == [None]


def test_a_function_without_a_name_is_found_by_its_line(profile: Profile) -> None:
    text = "import tensorflow as tf\n\nstep = tf.function(lambda x: tf.reduce_sum(x))\n"
    profile.traced("<lambda>", "shape", "x", source=text)
    profile._functions[-1]["arguments"] = [exact("x", [None, 4], 41)]
    found = profile.findings(text)["TXL203"]
    assert "was traced 41 times in 50 calls: `x` took 41 shapes" in found


def test_functions_that_were_made_again_are_reported(profile: Profile) -> None:
    profile.traced("make.inner", "new function", None)
    profile.traced("Holder.run", "new function", None)
    found = profile.findings()
    assert found["TXL201"] == (
        "in the recorded run `make.inner` became 41 different tf.function objects, and was traced"
        " 41 times in 50 calls"
    )
    assert found["TXL206"].startswith("in the recorded run `Holder.run` became 41 different")


def test_a_handful_of_traces_is_fine(profile: Profile) -> None:
    profile.traced("step", "value", "n", values={"distinct": 5, "most": [["1", 10]]})
    for key, value in (("traces", 5), ("retraces", [])):
        profile._functions[-1][key] = value
    assert "TXL202" not in profile.findings()


def test_a_loop_that_was_seen_to_turn_is_hot(profile: Profile) -> None:
    assert "TXL102" not in profile.findings()
    profile.loop("main", 1, 20)
    profile.function("update", calls={"eager": 20, "graph": 0, "traced": 0, "symbolic": 0},
                     seconds={"eager": {"count": 20, "total": 0.03, "median": 0.0015}})  # fmt: skip
    assert "(measured: 20 turns, 4.0 ms each)" in profile.findings()["TXL102"]


def test_a_step_that_was_seen_to_run_eagerly_is_reported(profile: Profile) -> None:
    source = SOURCE.replace("        update(tf.ones([4]))\n", "")
    assert "TXL101" not in profile.findings(source)
    profile.function(
        "update",
        calls={"eager": 20, "graph": 0, "traced": 0, "symbolic": 0},
        seconds={"eager": {"count": 20, "total": 0.03, "median": 0.0015}},
    )
    assert profile.findings(source)["TXL101"] == (
        "`update` ran eagerly 20 times in the recorded run, 1.5 ms each: 6 TensorFlow calls on every"
        " call of it, and nothing keeps it from being a tf.function"
    )


def test_a_recorded_run_says_what_a_finding_costs(profile: Profile) -> None:
    profile.loop("main", 1, 20)
    profile.function("update", calls={"eager": 20, "graph": 0, "traced": 0, "symbolic": 0},
                     seconds={"eager": {"count": 20, "total": 0.03, "median": 0.0015}})  # fmt: skip
    (stake,) = [found.stake for found in profile.all(SOURCE) if found.code == "TXL102"]
    assert stake is not None
    assert stake.is_measured
    assert (stake.times, stake.seconds.likely) == (20, 0.004)


def test_a_loop_that_turned_a_few_times_proves_nothing(profile: Profile) -> None:
    before = profile.findings()
    profile.loop("main", 1, 4)
    assert profile.findings() == before


def test_changed_code_has_no_measured_findings(profile: Profile) -> None:
    profile.traced("step", "value", "n", values={"distinct": 41, "most": [["1", 10]]})
    assert "TXL202" not in profile.findings(SOURCE.replace("tf.reduce_sum(x) * n", "x * n"))


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line tool."""
    command = [sys.executable, "-m", "tfxla_lint", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_command_line_and_the_settings_name_a_profile(profile: Profile) -> None:
    folder = profile.path.parent
    profile.traced("step", "value", "n", values={"distinct": 41, "most": [["1", 10]]})
    profile.findings()
    (folder / "a.py").write_text(SOURCE)
    (folder / "tensorflow.py").write_text("raise SystemExit('TensorFlow was imported')\n")
    assert "TXL202" not in lint(folder, "a.py").stdout
    assert "TXL202" in lint(folder, "--profile", "profile.json", "a.py").stdout
    (folder / "inner").mkdir()
    (folder / "tfxla-lint.toml").write_text('profile = "profile.json"\n')
    assert "TXL202" in lint(folder / "inner", "../a.py").stdout
    shown = lint(folder, "--show-settings").stdout
    assert 'profile = "profile.json"' in shown


def test_a_profile_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow\n")
    done = lint(tmp_path, "--profile", "none.json", "a.py")
    assert done.returncode == 2
    assert "error: profile 'none.json': cannot read it: No such file" in done.stderr
    (tmp_path / "tfxla-lint.toml").write_text('\nprofile = "a.py"\n')
    done = lint(tmp_path, "a.py")
    assert done.returncode == 2
    assert "error: tfxla-lint.toml:2: profile 'a.py': it is no JSON" in done.stderr
