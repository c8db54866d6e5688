"""What stands between a good file and a finding is what its first comment names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.source import Source

from .cases import RULES, TESTDATA, findings_in

#: Good files, each with the edit that takes away what makes it good, and the bad file that it comes near.
NEAR_MISSES = {
    "eager/fusable_loop/impatient": (
        "best, waited = np.inf, start",
        "best, waited = np.inf, 0",
        "patience",
    ),
    "eager/host_sync_in_loop/array_on_disk": (
        'np.memmap(os.path.join(folder, "kept"), dtype="float32", mode="w+", shape=(64, 2))',
        "np.zeros((64, 2))",
        "append",
    ),
    "eager/host_sync_in_loop/given_to_bar": (
        '("loss", loss)',
        '("loss", float(loss))',
        "shown_by_bar",
    ),
    "eager/host_sync_in_loop/metric_each_epoch": (
        "    lines.append",
        "        lines.append",
        "metric_beside_step",
    ),
    "input/pipeline_order/drawn_by_another_method": (
        "        self.start(images, draws)\n",
        "",
        "own_attribute",
    ),
    "eager/missing_tf_function/callback_each_epoch": (
        "on_epoch_end(self, epoch,",
        "on_train_batch_end(self, batch,",
        "ode",
    ),
    "eager/missing_tf_function/counted_around_trace": ("    @tf.function\n", "", "blocked"),
    "eager/missing_tf_function/few_in_comprehension": (
        "training, validation = [float(score(rows, labels)) for rows, labels in parts]",
        "found = [float(score(x + turn, y)) for turn in range(100)]",
        "comprehension",
    ),
    "eager/missing_tf_function/first_batch_shown": ("    break\n", "", "step"),
    "eager/missing_tf_function/loop_in_one_trace": ("@tf.function\n", "", "update_below_tape"),
    "eager/missing_tf_function/reduced_over_dataset": (
        "rows.shuffle(8, seed=seed).reduce(start, merged)",
        "merged(start, tf.ones([8, 4]))",
        "ode",
    ),
    "eager/missing_tf_function/registered_and_traced": (
        "return tf.function(function)",
        "return function",
        "registered",
    ),
    "eager/missing_tf_function/thread_without_loop": (
        "        self.slope = float(self.probe())",
        "        for _ in range(100):\n            self.slope = float(self.probe())",
        "thread",
    ),
    "eager/missing_tf_function/traced_by_property": (
        "tf.function(self._step)",
        "self._step",
        "method",
    ),
    "eager/missing_tf_function/traced_by_subclass": (
        "    step = tf.function(Trainer.step)",
        "    pass",
        "own_method",
    ),
    "eager/missing_tf_function/traced_when_called": (
        "    @tf.function\n",
        "",
        "method",
    ),
    "tracing/python_side_effect/whose_turn": (
        "        if Scale.active == self:\n            self.seen +=",
        "        self.seen +=",
        "default_of_switch",
    ),
    "eager/tensor_grown_in_loop/joined_once": (
        "        parts.append(embedded(batch))",
        "        found = tf.concat([found, embedded(batch)], axis=0)",
        "embeddings",
    ),
    "eager/tensor_grown_in_loop/needed_as_it_grows": (
        "model(text)[:, -1]",
        "model(start)[:, -1]",
        "embeddings",
    ),
    "eager/tensor_grown_in_loop/places_that_are_read": (
        "distances[row] + 1e9 * taken",
        "distances[row]",
        "places",
    ),
    "eager/tensor_grown_in_loop/few_parts": ("doubled(4)", "doubled(40)", "embeddings"),
    "tracing/variable_made_on_call/fitted_to_each": (
        "    with tf.GradientTape() as tape:\n        loss = score(rows)\n"
        "    rows.assign_sub(0.1 * tape.gradient(loss, rows))\n",
        "",
        "stands_for_tensor",
    ),
    "tracing/variable_made_on_call/model_made_once": (
        "    for batch in batches:\n        hidden",
        "    for batch in batches:\n        inner = tf.keras.models.Model(model.inputs, [inside, *model.outputs])\n"
        "        hidden",
        "model_of_parts",
    ),
    "retracing/partial_batch/as_many_as_range": (
        "zip(range(ROWS // BATCH), data)",
        "enumerate(data)",
        "traced",
    ),
    "eager/missing_tf_function/vectorised_rows": (
        "tf.vectorized_map(force, positions)",
        "force(positions)",
        "ode",
    ),
    "eager/predict_in_loop/items_of_batches": (
        "self.rows[index * self.size : (index + 1) * self.size]",
        "self.rows[index][None]",
        "item_of_sequence",
    ),
    "input/pipeline_order/drawn_beforehand": (
        "tf.image.stateless_random_crop(image, [6, 6, 3], seed=seed)",
        "tf.image.random_crop(image, [6, 6, 3])",
        "frozen_augmentation",
    ),
    "tracing/numpy_on_tensor/indexed_by_python": (
        "tf.gather(table, best)",
        "table[best]",
        "no_fix",
    ),
}


@pytest.mark.parametrize(("name", "edit"), NEAR_MISSES.items(), ids=NEAR_MISSES)
def test_one_edit_makes_a_good_file_bad(name: str, edit: tuple[str, str, str]) -> None:
    good, (old, new, neighbour) = TESTDATA / f"{name}_good.py", edit
    family, folder, _ = Path(name).parts
    source = Source.read(good)
    assert source.text.count(old) == 1
    assert good.with_name(f"{neighbour}_bad.py").exists()
    rule = RULES[family, folder]
    assert findings_in(rule, source) == []
    assert findings_in(rule, Source(source.path, source.text.replace(old, new))) != []
