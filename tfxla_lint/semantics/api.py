"""What TensorFlow, Keras and NumPy names do: the kind of their results, whether they compute,
and how they run a callable that they are given.

Names are canonical (`tensorflow.keras...`). Sources: the API pages of TensorFlow 2.21, and for
the routes runs of that version.
"""

from __future__ import annotations

from functools import lru_cache

from tfxla_lint.semantics.values import Kind

TF = "tensorflow."
KERAS = "tensorflow.keras."

_CLASS_HOMES = (
    ("tensorflow.keras.layers.", Kind.LAYER),
    ("tensorflow.keras.applications.", Kind.MODEL),
    ("tensorflow.keras.optimizers.schedules.", Kind.SCHEDULE),
    ("tensorflow.keras.optimizers.", Kind.OPTIMIZER),
    ("tensorflow.optimizers.", Kind.OPTIMIZER),
    ("tensorflow_addons.optimizers.", Kind.OPTIMIZER),
    ("tensorflow_addons.layers.", Kind.LAYER),
    ("tensorflow.keras.losses.", Kind.LOSS),
    ("tensorflow.losses.", Kind.LOSS),
    ("tensorflow.keras.metrics.", Kind.METRIC),
    ("tensorflow.metrics.", Kind.METRIC),
    ("tensorflow.keras.initializers.", Kind.INITIALIZER),
    ("tensorflow.initializers.", Kind.INITIALIZER),
    ("tensorflow.keras.regularizers.", Kind.INITIALIZER),
    ("tensorflow.keras.constraints.", Kind.INITIALIZER),
    ("tensorflow.keras.callbacks.", Kind.CALLBACK),
    ("tensorflow.distribute.", Kind.STRATEGY),
)

_EXACT: dict[str, Kind] = {
    "tensorflow.Variable": Kind.VARIABLE,
    "tensorflow.GradientTape": Kind.TAPE,
    "tensorflow.TensorArray": Kind.TENSOR_ARRAY,
    "tensorflow.Module": Kind.MODULE,
    "tensorflow.TensorShape": Kind.SHAPE,
    "tensorflow.TensorSpec": Kind.SPEC,
    "tensorflow.RaggedTensorSpec": Kind.SPEC,
    "tensorflow.keras.Model": Kind.MODEL,
    "tensorflow.keras.Sequential": Kind.MODEL,
    "tensorflow.keras.models.Model": Kind.MODEL,
    "tensorflow.keras.models.Sequential": Kind.MODEL,
    "tensorflow.keras.models.load_model": Kind.MODEL,
    "tensorflow.keras.models.clone_model": Kind.MODEL,
    "tensorflow.keras.models.model_from_json": Kind.MODEL,
    "tensorflow.keras.Input": Kind.KERAS_TENSOR,
    "tensorflow.keras.layers.Input": Kind.KERAS_TENSOR,
    "tensorflow.keras.layers.Layer": Kind.LAYER,
    "tensorflow.random.Generator": Kind.GENERATOR,
    "tensorflow.random.Generator.from_seed": Kind.GENERATOR,
    "tensorflow.random.Generator.from_non_deterministic_state": Kind.GENERATOR,
    "tensorflow.random.get_global_generator": Kind.GENERATOR,
    "tensorflow.summary.create_file_writer": Kind.WRITER,
    "tensorflow.summary.create_noop_writer": Kind.WRITER,
    "tensorflow.train.Checkpoint": Kind.CHECKPOINT,
    "tensorflow.train.CheckpointManager": Kind.CHECKPOINT,
    "tensorflow.name_scope": Kind.CONTEXT,
    "tensorflow.device": Kind.CONTEXT,
    "tensorflow.control_dependencies": Kind.CONTEXT,
    "tensorflow.init_scope": Kind.CONTEXT,
    "tensorflow.summary.record_if": Kind.CONTEXT,
    "tensorflow.keras.optimizers.get": Kind.OPTIMIZER,
    "tensorflow.keras.losses.get": Kind.LOSS,
    "tensorflow.keras.metrics.get": Kind.METRIC,
    "tensorflow.keras.activations.get": Kind.INITIALIZER,
    "tensorflow.keras.initializers.get": Kind.INITIALIZER,
    "tensorflow.distribute.get_strategy": Kind.STRATEGY,
    "tensorflow.executing_eagerly": Kind.BOOL,
    "tensorflow.is_tensor": Kind.BOOL,
    "tensorflow.inside_function": Kind.BOOL,
    "tensorflow.keras.backend.ndim": Kind.INT,
    "tensorflow.keras.backend.is_sparse": Kind.BOOL,
    "tensorflow.keras.backend.int_shape": Kind.SHAPE,
    "tensorflow_hub.KerasLayer": Kind.LAYER,
    "tensorflow.keras.preprocessing.image_dataset_from_directory": Kind.DATASET,
    "tensorflow.keras.preprocessing.text_dataset_from_directory": Kind.DATASET,
    "tensorflow.keras.utils.image_dataset_from_directory": Kind.DATASET,
    "tensorflow.keras.utils.text_dataset_from_directory": Kind.DATASET,
    "tensorflow.keras.utils.timeseries_dataset_from_array": Kind.DATASET,
    "tensorflow.data.TFRecordDataset": Kind.DATASET,
    "tensorflow.data.TextLineDataset": Kind.DATASET,
    "tensorflow.data.FixedLengthRecordDataset": Kind.DATASET,
    "tensorflow.data.experimental.make_csv_dataset": Kind.DATASET,
    "tensorflow.data.experimental.CsvDataset": Kind.DATASET,
    "tensorflow.data.Iterator": Kind.ITERATOR,
}

#: Base classes and the kind of the instances of what derives from them.
ROLES: dict[str, Kind] = {
    "tensorflow.keras.Model": Kind.MODEL,
    "tensorflow.keras.models.Model": Kind.MODEL,
    "tensorflow.keras.Sequential": Kind.MODEL,
    "tensorflow.keras.models.Sequential": Kind.MODEL,
    "tensorflow.keras.layers.Layer": Kind.LAYER,
    "tensorflow.keras.Layer": Kind.LAYER,
    "tensorflow.Module": Kind.MODULE,
    "tensorflow.keras.optimizers.Optimizer": Kind.OPTIMIZER,
    "tensorflow.keras.losses.Loss": Kind.LOSS,
    "tensorflow.keras.metrics.Metric": Kind.METRIC,
    "tensorflow.keras.callbacks.Callback": Kind.CALLBACK,
    "tensorflow.keras.utils.Sequence": Kind.OBJECT,
    "tensorflow.keras.optimizers.schedules.LearningRateSchedule": Kind.SCHEDULE,
    "builtins.object": Kind.OBJECT,
}

#: Modules of lower-case functions whose results are tensors.
_OP_MODULES = frozenset(
    TF + name
    for name in (
        "math", "linalg", "nn", "image", "random", "signal", "strings", "bitwise", "audio",
        "sparse", "ragged", "sets", "raw_ops", "quantization", "io", "dtypes", "experimental.numpy",
        "keras.activations", "keras.backend", "keras.ops", "keras.random", "keras.losses",
        "keras.metrics", "losses", "metrics", "random.experimental", "image.experimental",
        "math.special", "nn.experimental", "linalg.experimental", "autodiff",
    )
)  # fmt: skip

#: Functions of these modules that compute nothing.
_NOT_OPS = frozenset(
    {
        "tensorflow.random.set_seed", "tensorflow.random.get_global_generator",
        "tensorflow.random.set_global_generator", "tensorflow.io.TFRecordWriter",
        "tensorflow.io.TFRecordOptions", "tensorflow.io.FixedLenFeature",
        "tensorflow.io.VarLenFeature", "tensorflow.dtypes.as_dtype", "tensorflow.as_dtype",
        "tensorflow.keras.backend.clear_session", "tensorflow.keras.backend.set_floatx",
        "tensorflow.keras.backend.floatx", "tensorflow.keras.backend.epsilon",
        "tensorflow.keras.backend.set_learning_phase", "tensorflow.keras.backend.image_data_format",
        "tensorflow.keras.backend.set_image_data_format", "tensorflow.keras.backend.get_session",
        "tensorflow.keras.backend.set_session", "tensorflow.keras.backend.learning_phase",
        "tensorflow.keras.backend.get_value", "tensorflow.keras.backend.set_value",
        "tensorflow.keras.backend.get_uid", "tensorflow.keras.backend.set_epsilon",
        "tensorflow.keras.backend.int_shape", "tensorflow.keras.backend.ndim",
        "tensorflow.keras.backend.function", "tensorflow.keras.backend.eval",
        "tensorflow.keras.backend.is_keras_tensor", "tensorflow.keras.backend.is_sparse",
        "tensorflow.keras.backend.count_params",
        "tensorflow.keras.backend.placeholder", "tensorflow.keras.backend.dtype",
        "tensorflow.io.write_graph", "tensorflow.keras.losses.serialize",
        "tensorflow.keras.losses.deserialize", "tensorflow.keras.activations.serialize",
        "tensorflow.keras.activations.deserialize", "tensorflow.keras.metrics.serialize",
        "tensorflow.function", "tensorflow.py_function", "tensorflow.numpy_function",
        "tensorflow.nest", "tensorflow.get_static_value", "tensorflow.get_logger",
        "tensorflow.load_op_library", "tensorflow.load_library", "tensorflow.no_gradient",
        "tensorflow.custom_gradient", "tensorflow.recompute_grad", "tensorflow.convert_to_tensor_spec",
        "tensorflow.is_symbolic_tensor", "tensorflow.get_current_name_scope",
        "tensorflow.type_spec_from_value", "tensorflow.register_tensor_conversion_function",
        "tensorflow.make_ndarray", "tensorflow.make_tensor_proto", "tensorflow.broadcast_static_shape",
        "tensorflow.init_scope", "tensorflow.device", "tensorflow.name_scope",
        "tensorflow.control_dependencies", "tensorflow.io.parse_config", "tensorflow.variable_creator_scope",
    }
)  # fmt: skip

#: Op-like functions that return a tuple of this many tensors.
_TUPLES: dict[str, int] = {
    "linalg.svd": 3, "linalg.eigh": 2, "linalg.eig": 2, "linalg.qr": 2, "linalg.lu": 2,
    "linalg.slogdet": 2, "nn.moments": 2, "nn.top_k": 2, "math.top_k": 2, "unique": 2,
    "unique_with_counts": 3, "nn.ctc_greedy_decoder": 2, "linalg.normalize": 2,
    "math.frexp": 2, "nn.weighted_moments": 2, "nn.batch_normalization_with_global": 3,
    "nn.fused_batch_norm": 3, "nn.max_pool_with_argmax": 2, "audio.decode_wav": 2,
    "nn.ctc_beam_search_decoder": 2, "nn.collapse_repeated": 2,
    "image.sample_distorted_bounding_box": 3, "nn.sufficient_statistics": 4,
}  # fmt: skip

_LISTS = frozenset(
    {
        "split",
        "unstack",
        "meshgrid",
        "gradients",
        "dynamic_partition",
        "hessians",
        "broadcast_tensors",
        "io.decode_csv",
    }
)

#: Functions whose result has the structure of a callable's result: unknown.
_STRUCTURED = frozenset(
    {"cond", "case", "switch_case", "while_loop", "map_fn", "vectorized_map", "scan", "foldl",
     "foldr", "nest.map_structure", "nest.flatten", "nest.pack_sequence_as", "py_function",
     "io.parse_example", "io.parse_single_example", "io.parse_sequence_example",
     "io.parse_single_sequence_example", "numpy_function", "keras.ops.cond", "keras.ops.while_loop", "autodiff.ForwardAccumulator"}
)  # fmt: skip

_HOST_MODULES = (
    "tensorflow.config.", "tensorflow.io.gfile.", "tensorflow.compat.v1.logging.",
    "tensorflow.profiler.", "tensorflow.saved_model.", "tensorflow.train.", "tensorflow.test.",
    "tensorflow.version.", "tensorflow.sysconfig.", "tensorflow.tpu.", "tensorflow.types.",
    "tensorflow.distribute.", "tensorflow.autograph.", "tensorflow.keras.utils.",
    "tensorflow.keras.datasets.", "tensorflow.keras.preprocessing.", "tensorflow.lite.",
    "tensorflow.keras.mixed_precision.", "tensorflow.keras.config.", "tensorflow.data.",
    "tensorflow.summary.", "tensorflow.graph_util.", "tensorflow.feature_column.",
    "tensorflow.compat.", "tensorflow.estimator.", "tensorflow.debugging.", "tensorflow.nest.",
    "tensorflow.lookup.", "tensorflow.experimental.",
)  # fmt: skip


class CallResult:
    """The kind of a call's result: `kind`, and `count` tensors where it is a tuple of them."""

    __slots__ = ("count", "kind")

    def __init__(self, kind: Kind, count: int = 0) -> None:
        self.kind = kind
        self.count = count


def is_tensorflow(name: str) -> bool:
    """Whether a canonical name lies in TensorFlow or Keras."""
    return name.startswith(TF) or name == "tensorflow"


@lru_cache(maxsize=8192)
def result_of(name: str) -> CallResult:
    """The kind of what calling a TensorFlow or Keras name gives; UNKNOWN where not known."""
    exact = _EXACT.get(name)
    if exact is not None:
        return CallResult(exact)
    head, _, last = name.rpartition(".")
    if name.startswith("tensorflow.data.Dataset."):
        return CallResult(Kind.DATASET)
    if last[:1].isupper() and not (last.isupper() and head in _SHORT_LOSSES):
        for prefix, kind in _CLASS_HOMES:
            if name.startswith(prefix):
                if kind is Kind.STRATEGY and "Strategy" not in last:
                    continue
                return CallResult(kind)
    if not is_op(name):
        return CallResult(Kind.UNKNOWN)
    short = name.removeprefix(TF)
    if short in _TUPLES:
        return CallResult(Kind.TUPLE, _TUPLES[short])
    if short in _LISTS or (
        last in ("split", "unstack", "meshgrid") and head != "tensorflow.strings"
    ):
        return CallResult(Kind.LIST)
    if short in _STRUCTURED:
        return CallResult(Kind.UNKNOWN)
    if head == "tensorflow.ragged" or head == "tensorflow.sparse":
        return CallResult(Kind.UNKNOWN if last[:1].isupper() else Kind.TENSOR)
    return CallResult(Kind.TENSOR)


@lru_cache(maxsize=8192)
def is_op(name: str) -> bool:
    """Whether calling this name computes on tensors (one op or several)."""
    if not name.startswith(TF) or name in _NOT_OPS:
        return False
    head, _, last = name.rpartition(".")
    if not last[:1].islower():
        return last in ("Assert", "SparseTensor", "IndexedSlices") or (
            head in _SHORT_LOSSES and last.isupper() and len(last) <= 5
        )
    if head == "tensorflow":
        return True
    if head in _OP_MODULES:
        return True
    return head == "tensorflow.debugging" and last.startswith(("assert_", "check_numerics"))


def is_known_host(name: str) -> bool:
    """Whether a TensorFlow name belongs to Python-side machinery (files, config, utilities)."""
    return name.startswith(_HOST_MODULES)


_SHORT_LOSSES = frozenset(
    TF + name for name in ("keras.losses", "losses", "keras.metrics", "metrics")
)

#: tf.random functions that draw from state; `stateless_*` ones do not.
STATEFUL_RANDOM = frozenset(
    TF + name
    for name in (
        "random.normal", "random.uniform", "random.truncated_normal", "random.shuffle",
        "random.categorical", "random.gamma", "random.poisson", "nn.dropout",
        "image.random_brightness", "image.random_contrast", "image.random_crop",
        "image.random_flip_left_right", "image.random_flip_up_down", "image.random_hue",
        "image.random_saturation", "image.random_jpeg_quality", "keras.backend.random_normal",
        "keras.backend.random_uniform", "keras.random.normal", "keras.random.uniform",
        "keras.random.categorical", "keras.random.dropout",
    )
)  # fmt: skip

#: Functions that run the callable they are given (parameter index) in their caller's context.
INHERITING: dict[str, tuple[int, ...]] = {
    TF + "cond": (1, 2), TF + "case": (), TF + "switch_case": (1,), TF + "while_loop": (0, 1),
    TF + "map_fn": (0,), TF + "scan": (0,), TF + "foldl": (0,), TF + "foldr": (0,),
    TF + "custom_gradient": (0,), TF + "recompute_grad": (0,), TF + "nest.map_structure": (0,),
    TF + "keras.ops.cond": (1, 2), TF + "keras.ops.while_loop": (0, 1),
    TF + "keras.ops.map": (0,), TF + "keras.ops.scan": (0,), "builtins.map": (0,),
    "builtins.filter": (0,), "builtins.sorted": (), "functools.reduce": (0,),
}  # fmt: skip

#: Functions that trace the callable they are given.
TRACING: dict[str, tuple[int, ...]] = {
    TF + "vectorized_map": (0,),
    TF + "compat.v1.wrap_function": (0,),
    TF + "autograph.to_graph": (0,),
}

#: Dataset methods that trace the callable they are given.
TRACING_DATASET_METHODS: dict[str, tuple[int, ...]] = {
    "map": (0,), "filter": (0,), "reduce": (1,), "flat_map": (0,), "interleave": (0,),
    "scan": (1,), "take_while": (0,), "group_by_window": (0, 1), "bucket_by_sequence_length": (0,),
}  # fmt: skip

#: Functions whose callable runs eagerly, even inside a trace.
LEAVING: dict[str, tuple[int, ...]] = {
    TF + "py_function": (0,), TF + "numpy_function": (0,), TF + "data.Dataset.from_generator": (0,),
}  # fmt: skip

#: Methods of a Keras model that Keras traces unless the model runs eagerly.
TRACED_MODEL_METHODS = frozenset({"train_step", "test_step", "predict_step"})
#: Methods that Keras calls from inside and outside of traces.
KERAS_CALLED_METHODS = frozenset(
    {"call", "compute_loss", "compute_metrics", "compute_output_shape", "update_state", "result",
     "reset_state", "build", "get_config", "__call__", "update_step", "apply_gradients"}
)  # fmt: skip

#: Methods of a Keras model that run whole loops in Python; they fail inside a trace.
KERAS_LOOP_METHODS = frozenset(
    {"fit", "evaluate", "predict", "fit_generator", "train_on_batch", "test_on_batch",
     "predict_on_batch", "predict_generator", "evaluate_generator"}
)  # fmt: skip
KERAS_HOST_METHODS = KERAS_LOOP_METHODS | frozenset(
    {"compile", "summary", "save", "save_weights", "load_weights", "export", "set_weights",
     "get_weights", "to_json", "get_config"}
)  # fmt: skip
