"""Nothing is equivalent of which too little was seen: lines, defaults, and wrong versions of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tfxla_lint.verify.changes import changes_between
from tfxla_lint.verify.mutants import MOST, mutants_of
from tfxla_lint.verify.pairs import Options
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.reports import as_json, as_lines
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.weighing import Weighing

from .conftest import Verify

STEP = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0, 3.0])
ema = tf.Variable([1.0, 2.0, 3.0])


def step(x, rate=0.1, clip=0.0):
    loss = tf.reduce_sum(w * x)
    if clip > 0.0:
        x = tf.clip_by_value(x, -clip, clip)
    w.assign_sub(rate * x)
    return loss


for i in range(3):
    loss = step(tf.constant([0.5, 1.0, -2.0]) * {i}, 0.1{more})
    print("loss", float(loss))
"""


def text(i: str = "float(i + 1)", more: str = "") -> str:
    return STEP.replace("{i}", i).replace("{more}", more)


def test_a_verdict_says_which_lines_ran_what_was_compared_and_what_would_be_seen(
    verify: Verify,
) -> None:
    old = text()
    (verdict,) = verify(old, old.replace("rate * x", "x * rate"), power=True)
    assert (verdict.outcome.value, verdict.method) == ("equivalent", "program")
    assert verdict.ran == verdict.changed
    assert (verdict.ran.original, verdict.ran.rewritten) == ((11,), (11,))
    assert verdict.values["results"] >= 3
    assert verdict.values["printed lines"] == 3
    assert verdict.power is not None
    assert verdict.power.seen == verdict.power.tried >= 3
    line = list(as_lines(verdict))[1]
    assert line.startswith("    2 of 2 changed lines run; compared: ")
    assert line.endswith(f"{verdict.power.seen} of {verdict.power.tried} changes to it would have"
                         " been seen")  # fmt: skip
    (row,) = json.loads(json.dumps(as_json([verdict])))["verdicts"]
    assert row["ran"] == {"original": [11], "rewritten": [11]}
    assert row["power"]["seen"] == verdict.power.seen


@pytest.mark.parametrize("change", ["rate=0.2", "rate=0.5"])
def test_a_default_that_the_program_passes_is_called_without(change: str, verify: Verify) -> None:
    old = text()
    (verdict,) = verify(old, old.replace("rate=0.1", change), power=True)
    assert verdict.outcome.value == "differs"


def test_a_default_that_no_call_leaves_out_is_not_checked(verify: Verify) -> None:
    old = """\
import tensorflow as tf


class Trainer:
    def __init__(self, rate=0.1):
        self.w = tf.Variable(tf.ones([3]))
        self.rate = rate

    def step(self, x):
        self.w.assign_sub(self.rate * x)
        return tf.reduce_sum(self.w)


trainer = Trainer(rate=0.3)
print(float(trainer.step(tf.ones([3]))))
"""
    verdicts = verify(old, old.replace("rate=0.1", "rate=0.2"))
    assert [v.outcome.value for v in verdicts] == ["not checked"]
    assert verdicts[0].reason == (
        "the default of rate changed, and no call was compared that leaves it out"
    )


def test_inputs_that_hide_a_change_are_named(verify: Verify) -> None:
    old = """\
import tensorflow as tf

w = tf.Variable([100.0, 100.0])
ema = tf.Variable([100.0, 100.0])


def step(x):
    ema.assign(0.5 * ema + 0.5 * w)
    return tf.reduce_sum(x)


def main():
    for i in range(3):
        print("sum", float(step(tf.ones([2]) * float(i))))


main()
"""
    wrong = old.replace("0.5 * ema + 0.5 * w", "0.5 * ema + 0.5 * ema")
    (verdict,) = verify(old, wrong)
    assert verdict.outcome.value == "equivalent"
    (verdict,) = verify(old, old.replace("0.5 * ema + 0.5 * w", "0.5 * w + 0.5 * ema"), power=True)
    assert verdict.outcome.value == "not checked"
    assert "would have slipped through: line 8: " in verdict.reason
    assert verdict.power is not None
    assert any("`ema` for `w`" in m or "`w` for `ema`" in m for m in verdict.power.missed)
    (verdict,) = verify(old, wrong, power=True)
    assert verdict.outcome.value == "not checked"


def test_what_main_holds_is_compared_beside_a_constant_print(verify: Verify) -> None:
    old = """\
import tensorflow as tf


def main():
    w = tf.Variable([1.0, 2.0])
    for i in range(3):
        w.assign_sub(0.1 * tf.ones([2]))
    print("done 1")


main()
"""
    (verdict,) = verify(old, old.replace("0.1 * tf.ones([2])", "0.2 * tf.ones([2])"))
    assert verdict.outcome.value == "differs"
    assert verdict.evidence[0].path.startswith("variable Variable float32[2]")
    (verdict,) = verify(old, old.replace("0.1 * tf.ones([2])", "tf.ones([2]) * 0.1"), power=True)
    assert verdict.outcome.value == "equivalent"
    # Where the machine is slow, calls of `main` may be compared beside the program.
    assert verdict.values.keys() == {"variables", "changes of variables", "printed lines"}
    assert verdict.values["printed lines"] == 1


def test_calls_with_other_rows_than_the_program_passes_count(verify: Verify) -> None:
    old = """\
import tensorflow as tf


def mean(x):
    return tf.reduce_sum(x) / tf.cast(tf.shape(x)[0], tf.float32)


for i in range(3):
    y = mean(tf.ones([4]) * float(i))
"""
    (verdict,) = verify(old, old.replace("tf.cast(tf.shape(x)[0], tf.float32)", "4.0"), power=True)
    assert (verdict.outcome.value, verdict.method) == ("differs", "program")
    assert verdict.evidence[0].path == "mean() with one row"


def test_wrong_versions_are_the_same_for_the_same_seed_and_change_what_changed_first() -> None:
    trees = Tree(text()), Tree(text().replace("rate * x", "x * rate"))
    changed = Changed(*trees, changes_between(*trees))
    found = mutants_of(trees[1], changed)
    assert found == mutants_of(trees[1], changed)
    assert 3 <= len(found) <= MOST
    assert {m.line for m in found} == {11}
    assert len({m.text for m in found}) == len(found)
    assert trees[1].text == text().replace("rate * x", "x * rate")


def test_how_code_is_run_is_no_wrong_version() -> None:
    old = "import tensorflow as tf\n\n\ndef f(x, m):\n    return m(x, training=False)\n"
    new = old.replace("def f", "@tf.function(jit_compile=True)\ndef f")
    trees = Tree(old), Tree(new)
    words = [m.words for m in mutants_of(trees[1], Changed(*trees, changes_between(*trees)))]
    assert any("`training=True`" in text for text in words)
    new = new.replace("m(x, training=False)", "tf.function(m, jit_compile=False)(x)")
    trees = Tree(old), Tree(new)
    words = [m.words for m in mutants_of(trees[1], Changed(*trees, changes_between(*trees)))]
    assert words
    assert not any("jit_compile=" in text for text in words)


QUIET = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
total = 0.0
for x in tf.data.Dataset.range(6).map(lambda i: tf.ones([2]) * tf.cast(i, tf.float32)).prefetch(2):
    loss = tf.reduce_sum(w * x)
    if bool(tf.math.is_finite(loss)):
        w.assign_sub(0.01 * x)
    total += float(loss) * int(x.shape[0])
print("total", total, w.numpy())
"""


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("tf.math.is_finite(loss)", "tf.reduce_all(tf.math.is_finite(loss))"),
        ("int(x.shape[0])", "len(x)"),
        (".prefetch(2)", ".prefetch(tf.data.AUTOTUNE)"),
    ],
)
def test_wrong_versions_that_can_do_nothing_do_not_count(
    was: str, now: str, verify: Verify
) -> None:
    (verdict,) = verify(QUIET, QUIET.replace(was, now), power=True)
    assert verdict.outcome.value == "equivalent", verdict.reason
    assert verdict.power is not None
    assert verdict.power.seen == verdict.power.tried > 0


def test_what_is_refused_only_without_rows_is_left_open(verify: Verify) -> None:
    old = """\
import tensorflow as tf


def grown(x):
    return tf.concat([x[:1], x, x[-1:]], 0)


print("sum", float(tf.reduce_sum(grown(tf.constant([1.0, 2.0, 4.0])))))
"""
    new = old.replace("tf.concat([x[:1], x, x[-1:]], 0)", 'tf.pad(x, [[1, 1]], "SYMMETRIC")')
    (verdict,) = verify(old, new, power=True)
    assert verdict.outcome.value == "not checked"
    assert "refuses grown() with no rows, which the original takes" in verdict.reason


def test_a_changed_condition_has_to_go_both_ways(verify: Verify) -> None:
    old = """\
import tensorflow as tf

kept = []
for i in range(4):
    x = tf.ones([2]) * float(i)
    if len(kept) == 9:
        break
    kept.append(tf.reduce_sum(x))
print(float(tf.add_n(kept)))
"""
    (verdict,) = verify(old, old.replace("== 9", "> 9"))
    assert verdict.outcome.value == "not checked"
    assert verdict.reason.startswith("line 7 was not run")
    (verdict,) = verify(old.replace("9", "3"), old.replace("== 9", "> 2"))
    assert verdict.outcome.value == "equivalent"


def test_values_beyond_those_that_a_program_passes_count(verify: Verify) -> None:
    old = """\
import tensorflow as tf


def scaled(x):
    return tf.clip_by_value(x / 10.0, 0.0, 1.0)


print("sum", float(tf.reduce_sum(scaled(tf.constant([2.0, 5.0, 9.0])))))
"""
    (verdict,) = verify(
        old, old.replace("tf.clip_by_value(x / 10.0, 0.0, 1.0)", "x / 10.0"), power=True
    )
    assert (verdict.outcome.value, verdict.method) == ("differs", "program")
    assert verdict.evidence[0].path.startswith("scaled() with larger values")


CALLED = """\
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])
        self.loss = tf.keras.metrics.Mean()
        self.steps = 0

    def train_step(self, x):
        error = self.w * x - 1.0
        self.w.assign_sub(0.001 * error)
        self.loss.update_state(tf.reduce_sum(error))
        self.steps += 1


def main():
    trainer = Trainer()
    for i in range(60):
        trainer.train_step(tf.constant([0.5, 1.5]) * float(i % 3))
    print("loss", round(float(trainer.loss.result()), 2))


main()
"""


def test_wrong_versions_are_seen_where_functions_are_called_again(verify: Verify) -> None:
    new = CALLED.replace("error = self.w * x - 1.0", "error = x * self.w - 1.0")
    new = new.replace("0.001 * error", "error * 0.001")
    (verdict,) = verify(CALLED, new, power=True)
    assert (verdict.outcome.value, verdict.method) == ("equivalent", "program")
    assert verdict.power is not None
    assert verdict.power.seen == verdict.power.tried >= 4


def test_what_one_more_call_does_to_variables_is_compared(verify: Verify) -> None:
    new = CALLED.replace("0.001 * error", "(0.001 if self.steps < 60 else 0.002) * error")
    (verdict,) = verify(CALLED, new, power=True)
    assert verdict.outcome.value == "differs"
    assert "called again" in verdict.evidence[0].path


def test_work_that_moves_to_another_function_is_no_difference(verify: Verify) -> None:
    new = CALLED.replace("        self.loss.update_state(tf.reduce_sum(error))\n", "")
    new = new.replace(
        "        self.steps += 1\n", "        self.steps += 1\n        return error\n"
    )
    step = "        trainer.train_step(tf.constant([0.5, 1.5]) * float(i % 3))\n"
    moved = (
        f"        error = {step.strip()}\n        trainer.loss.update_state(tf.reduce_sum(error))\n"
    )
    verdicts = verify(CALLED, new.replace(step, moved), power=True)
    assert "differs" not in {verdict.outcome.value for verdict in verdicts}


def test_a_call_that_only_makes_variables_is_no_lack(verify: Verify) -> None:
    old = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones")])


def main():
    for i in range(3):
        print("out", float(tf.reduce_sum(model(tf.ones([4, 3]) * float(i)))))


main()
"""
    new = old.replace("    for i", "    model(tf.zeros([4, 3])[:1])\n    for i")
    (verdict,) = verify(old, new.replace("* float(i)", "* (0.0 + float(i))"), power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")


def test_calls_that_come_to_less_than_a_program_take_nothing_away() -> None:
    old = Tree("def f(x):\n    return x + 1.0\n")
    new = Tree("def f(x):\n    y = 1.0 + x\n    return y * 1.0\n")
    weighing = Weighing(old, new, changes_between(old, new), Options(power=True))
    numbers = [row["number"] for row in weighing.job(lambda text: text)["mutants"]]
    report = {"verdict": "equivalent", "ran": [[2], [2, 3]]}
    weighing.add({**report, "power": dict.fromkeys(map(str, numbers[:2]), "seen")})
    missed = {**report, "power": {str(numbers[2]): "same"}}
    weighing.add(missed, "f")
    assert weighing.lack("f") == ""
    weighing.add(missed)
    assert "would have slipped through" in weighing.lack("f")


def test_a_verdict_without_any_wrong_version_tried_is_open() -> None:
    old = Tree("def f(x):\n    return x + 1.0\n")
    new = Tree("def f(x):\n    y = 1.0 + x\n    return y * 1.0\n")
    for power in (True, False):
        weighing = Weighing(old, new, changes_between(old, new), Options(power=power))
        weighing.add({"verdict": "equivalent", "ran": [[2], [2, 3]]})
        assert ("was tried" in weighing.lack("f")) is power


def test_some_change_of_each_unit_is_tried_though_others_are_known(tensorflow: None) -> None:
    from tfxla_lint.verify.worker.power import SEEN, tried

    row = {"line": 1, "is_changed": True, "place": None, "is_bound": False}
    mutants: list[Mapping[str, object]] = [
        {**row, "number": n, "unit": unit} for n, unit in enumerate("aab")
    ]
    done: list[object] = []

    def attempt(mutant: Mapping[str, object], how: object) -> str:
        done.append(mutant["number"])
        return SEEN

    known = {"0": SEEN}
    found = tried(mutants, set(), 0.0, 9.0, 0.1, attempt, lambda fates: None, known, few=1)
    assert (done, found) == ([2], {"0": SEEN, "2": SEEN})


def test_of_places_another_order_is_tried(verify: Verify) -> None:
    old = (
        "import tensorflow as tf\n\n\ndef f(x, places):\n"
        "    return tf.stack([x[place] for place in places])\n\n\n"
        "for i in range(3):\n"
        "    print(f(tf.reshape(tf.range(12.0), [4, 3]) * (i + 0.5), [3, 0, 2]).numpy())\n"
    )
    new = old.replace(
        "    return tf.stack([x[place] for place in places])\n",
        "    index = tf.constant(places)\n    return tf.gather(x, index)\n",
    )
    (verdict,) = verify(old, new, power=True)
    assert verdict.outcome.value == "equivalent"
    assert verdict.power is not None
    words = [m.words for m in mutants_of(*_changed(old, new)) if "index" in m.words]
    assert verdict.power.seen == verdict.power.tried >= len(words) >= 2


def _changed(old: str, new: str) -> tuple[Tree, Changed]:
    trees = Tree(old), Tree(new)
    return trees[1], Changed(*trees, changes_between(*trees))


def test_what_fails_by_itself_shows_only_that_a_line_is_asked_for() -> None:
    trees = Tree(text()), Tree(text().replace("rate * x", "x * rate"))
    changes = changes_between(*trees)
    weighing = Weighing(*trees, changes, Options(power=True))
    first, *rest = (str(row["number"]) for row in weighing.job(str)["mutants"])
    report = {"verdict": "equivalent", "ran": [[11], [11]]}
    weighing.add({**report, "power": {first: "fails"}})
    assert "no change to it was tried" in weighing.lack("step")
    weighing.add({**report, "power": {rest[0]: "same"}})
    assert "only 0 of 1" in weighing.lack("step")


def test_each_unit_is_tried_until_something_is_told(tensorflow: None) -> None:
    from tfxla_lint.verify.worker.power import FAILS, SEEN, tried

    row = {"line": 1, "is_changed": False, "place": None}
    mutants: list[Mapping[str, object]] = [
        {**row, "number": n, "unit": unit, "is_bound": not n} for n, unit in enumerate("aaabbbbbbb")
    ]

    def attempt(mutant: Mapping[str, object], how: object) -> str:
        return SEEN if mutant["unit"] == "a" else FAILS

    found = tried(mutants, set(), 0.0, 9.0, 0.1, attempt, lambda fates: None, few=1)
    assert [n for n in found if int(n) < 3] == ["0", "1"]
    assert len([n for n in found if int(n) > 2]) == 5


def test_where_one_is_not_seen_more_are_tried(tensorflow: None) -> None:
    from tfxla_lint.verify.worker.power import SAME, SEEN, tried

    row = {"is_changed": False, "place": None, "unit": "a", "is_bound": False}
    mutants: list[Mapping[str, object]] = [{**row, "number": n, "line": n} for n in range(14)]

    def attempt(mutant: Mapping[str, object], how: object) -> str:
        return SAME if not mutant["number"] else SEEN

    found = tried(mutants, set(), 0.0, 9.0, 0.1, attempt, lambda fates: None, few=1)
    assert len(found) == 10


def test_texts_and_ragged_rows_become_others(tensorflow: None) -> None:
    import tensorflow as tf

    from tfxla_lint.verify.worker.power import Others

    others = Others()
    rows = tf.ragged.constant([["a"], [], ["b", "c"]])
    assert others.other(rows).to_list() == [[b"az9"], [], [b"bz9", b"cz9"]]
    assert others.other(tf.ragged.constant([[1], [2, 3]])).to_list() == [[2], [3, 4]]
    assert others.is_telling


def test_what_found_calls_do_not_see_beside_those_of_the_project_says_nothing() -> None:
    trees = Tree(text()), Tree(text().replace("rate * x", "x * rate"))
    weighing = Weighing(*trees, changes_between(*trees), Options(power=True))
    first, second, *_ = (str(row["number"]) for row in weighing.job(str)["mutants"])
    report = {"verdict": "equivalent", "ran": [[11], [11]]}
    weighing.add({**report, "power": {first: "seen"}})
    weighing.add({**report, "power": {second: "same"}}, "step")
    assert weighing.lack("step") == ""
    weighing.add({**report, "power": {second: "same"}})
    assert "only 1 of 2" in weighing.lack("step")
