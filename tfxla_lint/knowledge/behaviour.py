"""What functions, methods, classes and builtins do: one table, `behaviour.json`.

A row is keyed by a canonical dotted name (`tensorflow.abs`, `builtins.print`), by ``@`` with the
kind of the receiver and a method or attribute (`@list.append`, `@tape.gradient`), or by the start
of names and ``*`` (`time.*`). Its columns are the fields of `Behaviour`; a column that says
nothing is left out.

The table is read when it is first asked, and `python -m tools.harvest behaviour` holds it against
TensorFlow: the spellings of one function have the same row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import Any

from tfxla_lint.identity import ByIdentity
from tfxla_lint.knowledge import tables


class Shape(Enum):
    """How the shape of a result follows from the arguments."""

    SAME = "same"  #: that of the first argument
    CONVERTED = "converted"  #: that of what it converts, a list or a number too
    PAIR = "pair"  #: two arguments, broadcast
    MATMUL = "matmul"
    REDUCE = "reduce"  #: without the dimensions of `axis`
    POSITION = "position"  #: without one dimension
    CONCAT = "concat"
    STACK = "stack"
    EXPAND = "expand"
    SQUEEZE = "squeeze"
    TRANSPOSE = "transpose"
    RESHAPE = "reshape"
    ONE_HOT = "one-hot"
    WHERE = "where"
    RANGE = "range"
    LINSPACE = "linspace"
    EYE = "eye"
    LIKE = "like"  #: that of the first argument, of which only the shape is used
    FILLED = "filled"
    NORMAL = "normal"
    UNIFORM = "uniform"
    GATHER = "gather"
    OTHER = "other"  #: one that the table cannot say


class Dtype(ByIdentity):
    """The dtype of a result."""

    SAME = "same"  #: that of the first argument
    BOOL = "bool"
    INT32 = "int32"
    INT64 = "int64"
    FLOAT64 = "float64"  #: unless the call says another
    FLOAT32 = "float32"  #: unless the call says another
    ARGUMENT = "argument"  #: what the call says


class Effect(ByIdentity):
    """What a call does besides giving a result."""

    MUTATES = "mutates"  #: changes the Python object that it is called on
    ASSIGNS = "assigns"  #: changes a variable
    LOGS = "logs"
    WRITES = "writes"  #: writes files, figures, records of experiments
    OUTSIDE = "outside"  #: belongs to what surrounds a computation: files, clocks, plots
    OUTPUTS = "outputs"  #: shows or stores something outside of the program
    ASKS = "asks"  #: waits for the user
    WAITS = "waits"  #: takes longer than many operations: sleeps, reads weights from a file
    CLOCK = "clock"  #: reads a clock
    DRAWS = "draws"  #: draws random numbers by an operation with a state
    DRAWS_IN_PYTHON = "draws-in-python"  #: which a trace freezes
    FRESH = "fresh"  #: gives something new on each call, which a trace freezes
    SEEDS = "seeds"
    READS_VALUE = "reads-value"  #: brings a tensor's value to Python, now
    EAGER_ONLY = "eager-only"  #: fails in a trace


class Runs(ByIdentity):
    """How a function runs the callables that it is given."""

    TRACED = "traced"
    INHERITS = "inherits"  #: as its caller runs
    EAGER = "eager"  #: in Python, even within a trace


class Autograph(Enum):
    """What AutoGraph makes of a call."""

    RAW = "raw"  #: the callable that it is given stays unconverted


class Trait(ByIdentity):
    """What else is asked about a name."""

    HOST = "host"  #: computes no tensor, though it lives among the operations
    IN_A_TRACE = "in-a-trace"  #: no operation, and does the same in a trace
    OPERATIONS = "operations"  #: a module of which each lower-case function is an operation
    WHOLE_KIND = "whole-kind"  #: the class of all values of its result's kind
    FLOATING = "floating"  #: a dtype
    INTEGER = "integer"  #: a dtype
    BASE = "base"  #: a class that users derive from; its result is the kind of the instances
    ANNOTATION = "annotation"  #: as an annotation it says the kind of its result
    PLAIN_BASE = "plain-base"  #: a base class that adds no behaviour
    STRUCTURE = "structure"  #: a class of containers, which a trace takes apart
    UNHASHABLE = "unhashable"  #: another class whose objects are no keys
    UNREFERABLE = "unreferable"  #: a class whose objects take no weak references
    RECORD = "record"  #: a decorator that writes the constructor of a class
    FROZEN_RECORD = "frozen-record"  #: one whose instances do not change
    STATIC_METHOD = "static-method"
    CLASS_METHOD = "class-method"
    PROPERTY = "property"
    DEFERS = "defers"  #: gives what runs the function that it is given, on what that is called with
    KEEPS_FUNCTION = "keeps-function"  #: a decorator that runs the function as it stands
    SETS_UP = "sets-up"  #: a method in which an object is set up
    GIVES_AWAY = "gives-away"  #: that a thing has it says of which kind it is
    SUGGESTS = "suggests"  #: two of these on one thing say of which kind it is
    GROWS = "grows"  #: adds to a container
    MAPS_LEAVES = "maps-leaves"  #: gives a structure of what a function makes of each member
    RECORDS = "records"  #: only records what it is given
    PURE = "pure"  #: a builtin that changes nothing
    TAKES_TENSORS = "takes-tensors"  #: one that asks a tensor for no value
    NAMES_AFTER = "names-after"  #: calls its variables as those which it updates, `:0` and all
    IN_GRAPHS = "in-graphs"  #: one for which AutoGraph gives a tensor where it is given one
    COMPARES = (
        "compares"  #: asks its arguments, or their members, which is the greater or whether true
    )
    GOES_THROUGH = "goes-through"  #: goes through the members of its arguments
    READS = "reads"  #: a method of a container that only reads it
    INSPECTS = "inspects"  #: asks what an object is, whatever value it has, or how it is run
    BY_NAME = "by-name"  #: reads or writes an attribute that a string names
    CARRIES_MASK = "carries-mask"  #: its results carry a Keras mask
    LOOKS = "looks"  #: may see the local names of its caller
    CONVERTS = "converts"  #: makes a Python number of what it is given
    NARROWS = "narrows"  #: gives few different numbers for many
    CASTS = "casts"  #: a dtype of NumPy, called to make a number or an array of it
    HANDS_ON = "hands-on"  #: gives its first argument's value, perhaps of another type
    NUMBER_THROUGH = "number-through"  #: gives one of the numbers that it is given
    WRAPS = "wraps"  #: makes an array of a list of members
    KEEPS_LENGTH = "keeps-length"  #: of the first dimension
    JOINS = "joins"  #: gives an array as long as all that it is given
    BY_ROWS = "by-rows"  #: joins along the first dimension where no axis is given
    SCATTERS = "scatters"  #: gives a copy of its first array, other in some places
    RESIZES = "resizes"  #: gives an array of another length
    PERMUTES = "permutes"  #: gives an order of all rows
    PICKS = "picks"  #: gives as many members as the data have of something
    GATHERS = "gathers"  #: gives as many members as the indices
    MASKS = "masks"  #: gives an array of truth values for the members
    READS_SIZE = "reads-size"  #: depends on the number of members, in Python
    NEEDS_STATIC = "needs-static"  #: needs the size of a dimension while tracing
    ONLY_SPEED = "only-speed"  #: its arguments decide how fast it is, and nothing else
    VALUE_FREE = "value-free"  #: depends on nothing that its tensors hold
    BOUNDS = "bounds"  #: gives its first argument, up to a bound that no value need reach
    EITHER = "either"  #: gives one of its last two arguments, each where the other is not asked for
    ROUNDS = "rounds"  #: gives its first argument, rounded
    EDITS = "edits"  #: gives the text that it is asked of, changed
    SORTS = "sorts"  #: gives the members of its first argument in another order
    AVERAGES = "averages"  #: gives the mean of its first argument's members
    BINS = "bins"  #: tells between which edges values lie
    OPEN_TIES = "open-ties"  #: promises no order for what is equal
    NO_OVERFLOW = "no-overflow"  #: is finite where the formula that it stands for is not
    LINEAR = "linear"  #: its gradient needs nothing of what it was given
    TAKES_SYMBOLIC = "takes-symbolic"  #: an operation that takes a symbolic tensor of Keras
    TAKES_INDEX = "takes-index"  #: takes an integer of whichever dtype
    SHOWS_TYPE = "shows-type"  #: gives other results for a Python number than for a tensor
    RECASTS = "recasts"  #: gives its first argument in the dtype that it is told
    OWN_DTYPE = "own-dtype"  #: takes its first argument in the dtype that this has, always
    OF_EACH_IMAGE = "of-each-image"  #: takes an image, or a batch of them as it would each
    ONE_DTYPE = "one-dtype"  #: all of its tensors have one dtype
    OTHER_DTYPES = "other-dtypes"  #: speaks of other dtypes than those of float32
    DTYPE_OF_PYTHON = "dtype-of-python"  #: its dtype is that of the Python number
    CHOOSES = "chooses"  #: draws from what is written out
    TEXTS = "texts"  #: gives what a text or a command line says, or what is asked for that
    LISTS_FILES = "lists-files"  #: the names of all files that there are
    PASSES_MEMBERS = "passes-members"  #: an iterator over the members of what it is given
    LAZY = "lazy"  #: an iterator that Python runs through
    REDUCES = "reduces"  #: a NumPy function that leaves out dimensions
    TO_ARRAY = "to-array"  #: a NumPy function that makes an array of a tensor
    NEEDS_NUMBER = "needs-number"  #: takes Python numbers only
    MAKES_NUMBER = "makes-number"  #: a NumPy function that reduces to one number
    DRAWS_NUMBER = "draws-number"  #: draws a number where no size is given
    BATCHES = "batches"
    ONCE_BEHIND = "once-behind"  #: a stage behind which Python code runs once, or a few times
    KEEPS_ELEMENTS = "keeps-elements"  #: a stage whose elements are those before it
    STEADY = "steady"  #: gives the same elements each time it is gone through
    REMAKES = "remakes"  #: a stage that makes other elements
    MANY_OPS = "many-ops"  #: a layer that runs many operations
    AUGMENTS = "augments"  #: a layer that draws, though its name does not begin so
    LAYER_KEEPS_SHAPE = "layer-keeps-shape"
    WITH_WEIGHTS = "with-weights"  #: a layer that has weights
    RECENTERS = (
        "recenters"  #: makes a layer, or a model with one, that takes the mean of a batch away
    )
    PROPORTIONAL = (
        "proportional"  #: an optimizer that moves variables in proportion to their gradients
    )
    NOT_COMPILED = "not-compiled"  #: a layer for which Keras does without XLA
    COMPILES_WELL = "compiles-well"  #: gains by XLA, and keeps its results
    TRACED_STEP = "traced-step"  #: what Keras traces, unless the model runs eagerly
    KERAS_CALLED = "keras-called"  #: what Keras calls, inside and outside of traces
    COMPILED_PART = "compiled-part"  #: a method by which a model runs what `compile` gives it
    KERAS_ENTRY = "keras-entry"  #: what `jit_compile` of `compile` is about
    KERAS_LOOP = "keras-loop"  #: runs a loop of Keras; fails in a trace
    SETTING = "setting"  #: a plain attribute of Keras objects, of which a trace keeps the first
    RATE = "rate"  #: an attribute that an optimizer keeps in a variable
    SURROUNDS = "surrounds"  #: an attribute for the code around, or kept in a variable
    ONE_BATCH = "one-batch"  #: runs over one batch
    TELLS = "tells"  #: tells of a model, or sets values, but no layers
    REBUILDS = "rebuilds"  #: changes a model in a way that a trace does not see
    BUILDS = "builds"  #: makes the variables of a model that has none yet
    COMPARES_LABELS = "compares-labels"  #: compares predictions to labels
    METRIC_CYCLE = "metric-cycle"  #: fills, reads or empties a metric
    DIFFERENTIATES = "differentiates"
    UPDATES = "updates"  #: applies gradients
    TRAINS = "trains"  #: a loop of Keras that applies gradients, of batches or of one
    ONE_AT_A_TIME = "one-at-a-time"  #: an operation that takes a scalar, such as the name of a file
    OPEN_RANK = "open-rank"  #: gives what a graph does not know the number of dimensions of
    LOOPS = "loops"  #: an operation that loops
    CHECKS = "checks"  #: a check that runs with the graph
    LAUNCHES = "launches"  #: a decorator of what a command line or another process runs
    STARTS = "starts"  #: runs its callable in Python, in nobody's trace
    TURNED = "turned"  #: a method that a framework runs many times, or what does so with a callable
    THREAD = "thread"  #: a class whose method `run` another thread or process runs
    POOL = "pool"  #: makes a pool of threads or processes
    SERVER = "server"  #: makes an application whose methods register what answers requests
    CALLS_BACK_IN_PYTHON = "calls-back-in-python"  #: a package that traces no method of a subclass
    SHOWS = "shows"  #: a package that only shows things, to people
    TRACES_NOTHING = "traces-nothing"  #: a package that traces nothing for its users
    LETS_OUT = "lets-out"  #: a context that lets all exceptions out
    DROPS_ERRORS = "drops-errors"  #: goes on where what it runs raises
    TAKES_LOGS = "takes-logs"  #: hands what is logged on to what it is given
    TAKES_ALL = "takes-all"  #: takes all that an iterator gives before it comes back
    PLAIN = "plain"  #: leaves alone what it is not handed, and keeps, copies or lists no object
    SAME = (
        "same-in-a-graph"  #: computes in a graph what it computes eagerly, of its arguments alone
    )
    LOGARITHM = "logarithm"
    EXPONENTIAL = "exponential"
    NEGATES = "negates"  #: gives true for false
    TELLS_GREATER = "tells-greater"  #: compares by size
    CHOOSES_GREATER = "chooses-greater"  #: gives the greater of two
    STEPS = "steps"  #: jumps where its argument changes a little
    EVEN = "even"  #: changes little where its arguments do, and a graph joins it with nothing
    MOVES = "moves"  #: gives members of what it is given, as they are
    MIXES = "mixes"  #: sums up products of many members
    SHARP = "sharp"  #: has a kink or a pole
    GIVES_SHARES = "gives-shares"  #: a softmax
    SCALES = "scales"  #: a layer that multiplies by a constant and adds one
    FINDS_GREATEST = (
        "finds-greatest"  #: the greatest or the least of its members, or where it stands
    )
    ADDS = "adds"  #: adds or subtracts
    MULTIPLIES = "multiplies"
    DIVIDES = "divides"
    RAISES = "raises"  #: to a power
    STOPS_GRADIENT = "stops-gradient"  #: lets no gradient through, though it gives numbers
    BENDS = "bends"  #: its gradient, with respect to predictions if it takes labels, needs these
    AGREES = "agrees"  #: what it runs has to give one shape and dtype, in a graph
    RUNS_BESIDE = "runs-beside"  #: runs the callables that it is given beside all steps
    LOOKS_BACK = "looks-back"  #: asks how the predictions that it is given were computed
    ONE_SHAPE = "one-shape"  #: takes labels of the very shape of what a sigmoid gave, in a graph
    MARKS = "marks"  #: what gives predictions by which that may be told
    EAGER_SWITCH = "eager-switch"  #: makes all functions run eagerly
    FINDS_DEVICES = "finds-devices"  #: makes TensorFlow look at its devices
    ASKS_NAN = "asks-nan"  #: tells NaN from numbers, makes it, or ends where it comes up
    DROPS_NAN = "drops-nan"  #: a graph joins it with a sum before it, and then it gives 0 for NaN


Word = Shape | Dtype | Effect | Runs | Autograph | Trait

#: The columns that hold a word, or several.
_WORDED: tuple[tuple[str, type[Enum]], ...] = (
    ("shape", Shape), ("dtype", Dtype), ("runs", Runs), ("autograph", Autograph),
    ("effect", Effect), ("is", Trait),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One row: what is known about a name."""

    #: The kind of the result, by the name that the model has for it; "structure" where the result
    #: is built as the result of a callable.
    result: str | None = None
    #: How many members the result has, and of which kind they are.
    count: int = 0
    of: str | None = None
    #: What `shape`, `dtype`, `effect`, `runs`, `autograph` and `is` say.
    words: frozenset[Word] = frozenset()
    #: Positions of the callables that it runs.
    callables: tuple[int, ...] = ()
    #: By role: the name and the position of a parameter.
    at: Mapping[str, tuple[str, int]] | None = None
    #: The function of TensorFlow that computes the same of a tensor, and of how many arguments.
    instead: tuple[str, int] | None = None
    #: The parameters of which a graph needs the value while it is made, or the values of the members
    #: (`name[]`); "*" where that is known of none.
    static: frozenset[str] = frozenset()
    #: The parameters in which it was seen to be smooth: it neither jumps, nor has a kink or a pole there.
    smooth: frozenset[str] = frozenset()
    #: How the shape and the dtype of the result follow, and how it runs the callables it is given.
    shape: Shape | None = None
    dtype: Dtype | None = None
    runs: Runs | None = None


#: What tells how a graph computes a function of numbers, as against eager code.
OF_ARITHMETIC = frozenset(
    {Trait.EVEN, Trait.MOVES, Trait.PASSES_MEMBERS, Trait.MIXES, Trait.GIVES_SHARES, Trait.VALUE_FREE,
     Trait.STEPS, Trait.TELLS_GREATER, Trait.SHARP, Trait.FINDS_GREATEST, Trait.CHOOSES_GREATER,
     Trait.LOGARITHM, Trait.EXPONENTIAL, Trait.NEGATES, Trait.ADDS, Trait.MULTIPLIES, Trait.DIVIDES,
     Trait.RAISES}
)  # fmt: skip
_NOTHING = Behaviour()


@cache
def _words(kind: type[Enum], text: str) -> frozenset[Enum]:
    return frozenset(kind(word) for word in text.split())


def _words_of(record: Mapping[str, Any]) -> Iterator[Any]:
    for column, kind in _WORDED:
        if column in record:
            yield from _words(kind, record[column])


def _row(record: Mapping[str, Any]) -> Behaviour:
    places = {role: (name, position) for role, (name, position) in record.get("at", {}).items()}
    return Behaviour(
        record.get("result"),
        record.get("count", 0),
        record.get("of"),
        frozenset(_words_of(record)),
        tuple(record.get("callables", ())),
        places or None,
        (record["instead"][0], record["instead"][1]) if "instead" in record else None,
        frozenset(record.get("static", "").split()),
        frozenset(record.get("smooth", "").split()),
        Shape(record["shape"]) if "shape" in record else None,
        Dtype(record["dtype"]) if "dtype" in record else None,
        Runs(record["runs"]) if "runs" in record else None,
    )


@cache
def rows() -> Mapping[str, Behaviour]:
    """The whole table, which is read row by row else."""
    return {name: _row(record) for name, record in tables.load("behaviour").items()}


@lru_cache(maxsize=16384)
def of(name: str) -> Behaviour:
    """What is known about exactly this name; an empty row where there is none."""
    record = tables.load("behaviour").get(name)
    return _row(record) if record is not None else _NOTHING


@cache
def _index() -> Mapping[Word, frozenset[str]]:
    found: dict[Word, set[str]] = {}
    for name, record in tables.load("behaviour").items():
        for word in _words_of(record):
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


@cache
def names(word: Word) -> frozenset[str]:
    """The functions and classes of which the word holds, by their full names."""
    return frozenset(n for n in _index().get(word, ()) if n[0] != "@" and n[-1] != "*")


@cache
def leaves(home: str, word: Word) -> frozenset[str]:
    """The last names of those that stand right in the module `home`."""
    split = (name.rpartition(".") for name in names(word))
    return frozenset(last for head, _, last in split if head == home)


@cache
def methods(word: Word, *receivers: str) -> frozenset[str]:
    """The methods and attributes of which the word holds, of certain kinds of receivers or any."""
    split = (n[1:].split(".") for n in _index().get(word, ()) if n[0] == "@")
    return frozenset(method for kind, method in split if not receivers or kind in receivers)


@cache
def prefixes(word: Word) -> tuple[str, ...]:
    """The starts of names of which the word holds, for `str.startswith`."""
    return tuple(sorted(n[:-1] for n in _index().get(word, ()) if n[-1] == "*"))


@lru_cache(maxsize=16384)
def holds(word: Word, name: str) -> bool:
    """Whether the word holds of a name, or of all names that begin as it does."""
    return name in names(word) or name.startswith(prefixes(word))


@cache
def packages(word: Word) -> frozenset[str]:
    """The packages of which the word holds as a whole."""
    return frozenset(start.removesuffix(".") for start in prefixes(word))


@cache
def home(name: str) -> Behaviour:
    """What holds for the classes below the start of a name that says most of it."""
    starts = [start for start in _homes() if name.startswith(start[:-1])]
    return of(max(starts, key=len)) if starts else _NOTHING


@cache
def _homes() -> Sequence[str]:
    table = tables.load("behaviour")
    return [name for name, record in table.items() if name[-1] == "*" and "result" in record]


@cache
def places(role: str) -> Mapping[str, tuple[str, int]]:
    """By function: the name and the position of the parameter that has the role."""
    pairs = ((name, record.get("at", {})) for name, record in tables.load("behaviour").items())
    return {name: (at[role][0], at[role][1]) for name, at in pairs if role in at}


@cache
def positions(home: str, role: str) -> Mapping[str, int]:
    """By last name: the position of the parameter that has the role, of what stands in `home`."""
    split = ((*name.rpartition("."), place) for name, (_, place) in places(role).items())
    return {last: place for head, _, last, place in split if head == home}


@cache
def results(home: str) -> Mapping[str, Behaviour]:
    """By last name: what is known to give a result in a module, or of a receiver (`@tensor`)."""
    split = ((*name.rpartition("."), name) for name in tables.load("behaviour"))
    found = {last: of(name) for head, _, last, name in split if head == home}
    return {last: row for last, row in found.items() if row.result}


@cache
def elementwise() -> frozenset[str]:
    """Functions whose result has the shape and the dtype of their first argument."""
    return names(Shape.SAME) & names(Dtype.SAME)


@cache
def keeping_shape() -> frozenset[str]:
    """Functions whose result has the shape of their first argument."""
    return names(Shape.SAME) | names(Shape.CONVERTED)


@cache
def making_arrays() -> frozenset[str]:
    """NumPy functions that make an array of a list, as long as it is or as all in it."""
    wrapping = names(Trait.WRAPS) | names(Trait.JOINS)
    return frozenset(name for name in wrapping if of(name).result == "ndarray")
