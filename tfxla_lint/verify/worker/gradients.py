"""Gradients of a call with respect to its float arguments and the variables in reach."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Tuple

import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import variables_of

#: So many times as large a sum is.
_FAR = 1000.0


def gradients_of(
    function: Any,
    positional: List[Any],
    keywords: Mapping[str, Any],
    namespace: Mapping[str, Any],
    instance: Any,
    is_far: bool = False,
) -> List[Tuple[str, Any]]:
    """The gradients of a weighted sum of all float results, each with a name; None where there is none.

    With `is_far` there are those of a much larger sum, too: gradients may be bounded on their way.
    """
    inputs = {f"gradient of argument {i + 1}": v for i, v in enumerate(positional) if _is_float(v)}
    inputs.update({f"gradient of {k}": v for k, v in keywords.items() if _is_float(v)})
    variables = _variables({**namespace, "self": instance})
    for i, value in enumerate(positional):
        variables.update(_of_object(f"argument {i + 1}", value))
    with tf.GradientTape(persistent=is_far) as tape:
        for value in inputs.values():
            tape.watch(value)
        results = tf.nest.flatten(function(*positional, **keywords))
        if isinstance(instance, tf.keras.layers.Layer):
            results += list(instance.losses)
        floats = [r for r in results if _is_float(r)]
        if not floats:
            return []
        total = tf.add_n([tf.reduce_sum(_weighted(r)) for r in floats])
    sources = {**inputs, **{f"gradient of {n}": v for n, v in variables.items()}}
    found = tape.gradient(total, list(sources.values()))
    names = list(sources)
    if is_far:
        times = tf.constant(_FAR, total.dtype)
        found += tape.gradient(total, list(sources.values()), output_gradients=times)
        names += [f"{name} of a larger sum" for name in names]
    dense = [None if g is None else tf.convert_to_tensor(g) for g in found]
    return list(zip(names, dense))


def _weighted(result: Any) -> Any:
    """The result with a weight for each element: plain sums hide gradients that cancel out."""
    flat = tf.reshape(tf.cast(result, tf.float64), [-1])
    return flat * (1.0 + tf.sin(tf.cast(tf.range(tf.size(flat)), tf.float64)))


def _is_float(value: Any) -> bool:
    return isinstance(value, (tf.Tensor, tf.Variable)) and value.dtype.is_floating


def _variables(namespace: Mapping[str, Any]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, value in namespace.items():
        if not name.startswith("__"):
            found.update(_of_object(name, value))
    instance = namespace.get("self")
    for name, value in dict(getattr(instance, "__dict__", {})).items():
        found.update(_of_object(f"self.{name}", value))
    return found


def _of_object(name: str, value: Any) -> Dict[str, Any]:
    """The trainable float variables that a global holds."""
    if isinstance(value, (tf.keras.layers.Layer, tf.Module)) and not isinstance(value, tf.Variable):
        try:
            parts = variables_of(value)
        except Exception:
            return {}
    elif isinstance(value, (list, tuple)):
        parts = list(value)
    else:
        parts = [value]
    found = {}
    is_itself = len(parts) == 1 and parts[0] is value
    for i, part in enumerate(parts):
        inner = getattr(part, "_value", None) if not isinstance(part, tf.Variable) else part
        if isinstance(inner, tf.Variable) and inner.trainable and inner.dtype.is_floating:
            found[name if is_itself else f"{name}[{i}]"] = inner
    return found
