"""Programs of TensorFlow put together at random, the same for the same seed.

A program has phases: training, asking a model, or a recurrence. Each lies in a form (a loop in
place, a step function with or without what it uses as parameters, a closure, a class, a function
that holds the loop) and brings its states; what lies around all of them (the module, `main()`, two
files) is drawn once. No phase knows what keeps a fix from being safe: that is what is tested.
"""

from __future__ import annotations

import ast
import random
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tools.fuzz import pieces
from tools.fuzz.pieces import Model, Piece

#: States whose text is another in each run.
_UNSHOWN = frozenset(
    {"loss_fn", "change", "steps", "clock", "factors", "table", "counter", "part", "running"}
)
#: Where functions lie in another file than the data.
_LAYOUTS_OF_FILES = frozenset({"files", "package"})
_STATE = re.compile(r"<([a-z_]+)>")
#: How likely a place gets each of two pieces: calm programs are those that a safe fix rewrites.
#: The examples of a program.
ROWS = 22
_UNREST = (0.02, 0.04, 0.08, 0.3)


@dataclass(frozen=True)
class Turns:
    """A loop over batches: what is made before it, its header, and what begins its body."""

    made: str
    header: str
    body: str = ""
    end: str = ""
    has_step: bool = False
    #: What its body passes on, by the names that follow.
    gives: str = "x, y"


@dataclass
class Phase:
    """What a phase adds to the program."""

    definitions: str
    statements: str
    can_move: bool
    #: Whether it takes inputs of any dtype.
    casts: bool = False


class Draw(random.Random):
    """Draws from a seed."""

    def __init__(self, seed: int, rows: int) -> None:
        super().__init__(seed)
        #: How many examples the program has.
        self.rows = rows
        self._unrest = self.choice(_UNREST)

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def some(self, pool: Sequence[Piece], has: set[str]) -> list[Piece]:
        """A few of the pieces whose needs are met."""
        fitting = [piece for piece in pool if piece.needs <= has]
        count = sum(self.chance(self._unrest) for _ in range(2))
        return self.sample(fitting, min(count, len(fitting)))


def program(seed: int, rows: int = ROWS) -> dict[str, str]:
    """The files of the program with this seed, `main.py` among them; more rows make more turns."""
    draw = Draw(seed, rows)
    return {name: _noted(draw, text) for name, text in _files(draw).items()}


def _noted(draw: Draw, text: str) -> str:
    """The text with comments of its own behind some lines."""
    often = draw.choice((0.0, 0.02, 0.1))
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line and '"""' not in line and draw.chance(often):
            lines[number] = f"{line}  # note {number}"
    return "\n".join(lines) + "\n"


def _files(draw: Draw) -> dict[str, str]:
    layout = draw.choice(("module", "module", "main", "main", "guarded", "files", "package"))
    phases = [
        _phase(draw, layout, number)
        for number in range(draw.choice((1, 1, 1, 2, 2, 3)))
    ]  # fmt: skip
    head = _head(draw, casts=all(p.casts for p in phases))
    helpers = pieces.HELPERS.format(penalty=draw.chance(0.5))
    moved = "".join(p.definitions for p in phases if p.can_move)
    kept = "".join(p.definitions for p in phases if not p.can_move)
    statements = "\n".join(p.statements for p in phases)
    helpers = _used(helpers, f"{head}{moved}{kept}{statements}")
    imports = "import numpy as np\nimport tensorflow as tf\n"
    if layout == "files":
        library = f'"""What main.py uses."""\n\n{imports}{helpers}{moved}'
        main = f"{imports}{_taken('library', library)}{head}{kept}\n\n{statements}\n"
        return {"library.py": _tidied(library), "main.py": _tidied(main)}
    if layout == "package":
        helping = f'"""Helpers."""\n\n{imports}{helpers}'
        steps = f'"""Steps."""\n\n{imports}{_taken(".helpers", helping)}{moved}'
        taken = _taken("parts.helpers", helping) + _taken("parts.steps", steps)
        main = f"{imports}{taken}{head}{kept}\n\n{statements}\n"
        files = {"parts/helpers.py": helping, "parts/steps.py": steps, "main.py": main}
        return {"parts/__init__.py": "", **{name: _tidied(text) for name, text in files.items()}}
    if layout == "main":
        inner = textwrap.indent(f"{kept}\n{statements}\n", "    ")
        main = f"{imports}{helpers}{head}{moved}\n\ndef main():\n{inner}\n\nmain()\n"
    elif layout == "guarded":
        inner = textwrap.indent(statements, "    ")
        main = f"{imports}{helpers}{head}{moved}{kept}\n\nif __name__ == '__main__':\n{inner}\n"
    else:
        main = f"{imports}{helpers}{head}{moved}{kept}\n\n{statements}\n"
    return {"main.py": _tidied(main)}


def _used(helpers: str, text: str) -> str:
    """Those of the helpers that a text names, and what these name: what is there keeps fixes from being safe."""
    lines = helpers.splitlines()
    named: dict[str, str] = {}
    for node in ast.parse(helpers).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        own = "\n".join(lines[first - 1 : node.end_lineno])
        if isinstance(node, ast.Import):
            named.update({alias.name: own for alias in node.names})
        elif isinstance(node, ast.Assign):
            named.update({ast.unparse(target): own for target in node.targets})
        else:
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            named[node.name] = f"\n\n{own}"
    wanted: set[str] = set()
    pending = [text]
    while pending:
        new = set(re.findall(r"\w+", pending.pop())) & set(named) - wanted
        wanted |= new
        pending += (named[name] for name in new)
    return "\n" + "\n".join(own for name, own in named.items() if name in wanted) + "\n"


def _taken(name: str, text: str) -> str:
    """The import of what a module makes; modules that it imports are passed on."""
    made = re.findall(r"^(?:async def|def|class) (\w+)|^([A-Z]+) =", text, re.M)
    passed = re.findall(r"^import (functools)$", text, re.M)
    names = ", ".join(sorted({*(one or two for one, two in made), *passed}))
    return f"from {name} import {names}\n" if names else ""


def _tidied(text: str) -> str:
    lines = (line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)) + "\n"


def _head(draw: Draw, *, casts: bool) -> str:
    # Keras casts to float32; plain operations refuse to mix.
    dtype = draw.choice(("np.float32", "np.float32", "np.float64")) if casts else "np.float32"
    return f"""
tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(7)
inputs = rng.normal(size=({draw.rows}, 4)).astype({dtype})
targets = (inputs[:, :1] * 0.5 - inputs[:, 1:2]).astype(np.float32)
"""


def _turns(draw: Draw) -> Turns:
    """A loop over batches of the data."""
    size = draw.choice((4, 8, 11))
    rest = ", drop_remainder=True" if draw.chance(0.4) else ""
    dataset = f"data = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch({size}{rest})"
    tensors = "xs, ys = tf.constant(inputs, tf.float32), tf.constant(targets, tf.float32)"
    sliced = f"x, y = xs[step * {size}:(step + 1) * {size}], ys[step * {size}:(step + 1) * {size}]"
    steps = draw.rows // size
    few = draw.rows // 4
    pairs = f"[(xs[i:i + {size}], ys[i:i + {size}]) for i in range(0, {steps * size}, {size})]"
    return draw.choice(
        (
            Turns(dataset, "for x, y in data:"),
            Turns(dataset, "for x, y in data:"),
            Turns(dataset, "for step, (x, y) in enumerate(data):", has_step=True),
            Turns(
                dataset,
                f"for step, (x, y) in enumerate(data.take({draw.rows // 7}), start=1):",
                has_step=True,
            ),
            Turns(dataset, "for batch in data:", "x, y = batch"),
            Turns(dataset, "for x, y in data.shuffle(5, seed=1).prefetch(1):"),
            Turns(
                f"{dataset}\niterator = iter(data.repeat())",
                f"for step in range({draw.rows // 5}):",
                "x, y = next(iterator)",
                has_step=True,
            ),
            Turns(tensors, f"for step in range({steps}):", sliced, has_step=True),
            Turns(
                "xs, ys = inputs, targets", f"for step in range({steps}):", sliced, has_step=True
            ),
            Turns(tensors, f"for step in range({few}):", "x, y = xs, ys", has_step=True),
            Turns(f"{tensors}\nx, y = xs, ys", f"for step in range({few}):", has_step=True),
            Turns(f"{tensors}\nx, y = xs, ys", f"for _ in range({few}):"),
            Turns(f"{tensors}\nbatches = {pairs}", "for x, y in batches:"),
            Turns(
                f"{tensors}\nbatches = {pairs}",
                "for step, (x, y) in enumerate(batches):",
                has_step=True,
            ),
            Turns(
                f"{tensors}\nstep = 0",
                f"while step < {steps}:",
                sliced,
                "step += 1",
                has_step=True,
            ),
            Turns(
                f"{tensors}\nparts = [xs[:8], xs[8:16]], [ys[:8], ys[8:16]]",
                "for x, y in zip(*parts):",
            ),
            Turns(
                "def batches(buffer=np.zeros((4, 4), np.float32)):\n"
                "    for i in range(3):\n"
                "        buffer[:] = inputs[4 * i:4 * i + 4]\n"
                "        yield buffer, tf.constant(targets[4 * i:4 * i + 4], tf.float32)",
                "for x, y in batches():",
            ),
        )
    )


@dataclass
class _Scope:
    """How the states of a phase are spelled, and what has to be declared where they are bound."""

    pattern: str = "{}"
    parameters: frozenset[str] = frozenset()
    declare: str | None = None

    def spelled(self, text: str) -> str:
        def name(match: re.Match[str]) -> str:
            state = match[1]
            return state if state in self.parameters else self.pattern.format(state)

        return _STATE.sub(name, text)


def _phase(draw: Draw, layout: str, number: int) -> Phase:
    kind = draw.choice(("train", "train", "train", "ask", "recur"))
    if kind == "recur":
        return _recurrence(draw, layout, number)
    model = draw.choice(pieces.PLAIN if draw.chance(0.6) else pieces.MODELS)
    # Two classes of one name would be one class.
    model = _renamed(model, f"Net{number}") if model.classes else model
    phase = _Trained(draw, layout, number, model, asks=kind == "ask").phase()
    phase.casts = "keras" in model.traits
    return phase


def _renamed(model: Model, name: str) -> Model:
    classes = re.sub(r"\bNet\b", name, model.classes).replace("Twice", f"Twice{name}")
    made = re.sub(r"\bNet\b", name, model.made)
    return Model(made, model.call, model.variables, classes, model.traits)


class _Trained:
    """A phase that trains a model or asks it."""

    def __init__(self, draw: Draw, layout: str, number: int, model: Model, *, asks: bool) -> None:
        self.draw = draw
        self.layout = layout
        self.number = number
        self.model = model
        self.asks = asks
        self.turns = _turns(draw)
        self.has = set(model.traits) | ({"step"} if self.turns.has_step else set())
        if "<w>" in model.made and "<b>" in model.made:
            self.has.add("bias")
        self.has.add("real")
        self.states: dict[str, str] = {}
        self.sets: set[str] = set()
        self.own_update = asks or draw.chance(0.3)
        if not self.own_update:
            self.has.add("optimizer")

    def phase(self) -> Phase:
        form = self.draw.choice(
            ("inline", "inline", "step", "step", "params", "closure", "method", "method", "whole",
             "inlined_method", "decorated", "heir", "starred", "generator", "awaited", "async_step")
        )  # fmt: skip
        if self.asks:
            return self._asked(form)
        forms = {
            "inline": self._inline, "step": self._step_form, "params": self._params,
            "closure": self._closure, "method": self._method, "whole": self._whole,
            "inlined_method": self._inlined_method, "decorated": self._decorated,
            "heir": self._heir, "starred": self._starred, "generator": self._generator,
            "awaited": self._awaited, "async_step": self._async_step,
        }  # fmt: skip
        return forms[form]()

    # States and pieces

    def _use(self, piece: Piece) -> Piece:
        for name, first in piece.states.items():
            self.states.setdefault(name, first)
        self.sets |= piece.sets
        return piece

    def _texts(self, chosen: Iterable[Piece]) -> list[str]:
        return [self._use(piece).text for piece in chosen]

    def _model_states(self) -> str:
        """The statements that make the model and what trains it."""
        if "factor" in self.model.traits:
            self.states.setdefault("factor", "1.0")
        lines = [self.model.made]
        if not self.own_update:
            optimizer = self.draw.choice(pieces.OPTIMIZERS)
            lines.append(f"<optimizer> = tf.keras.optimizers.{optimizer}")
            if self.draw.chance(0.2):
                lines.append(f"<optimizer>.build({self.model.variables})")
        return "\n".join(lines)

    def _made(self) -> str:
        made = self._model_states()
        first = "".join(f"<{name}> = {value}\n" for name, value in self.states.items())
        return f"{first}{made}\n"

    def _step(self, *, inline: bool) -> tuple[list[str], list[str]]:
        """The statements of a step, and those that may stand beside its call."""
        draw = self.draw
        before = self._texts(draw.some(pieces.BEFORE, self.has))
        inside = [f"prediction = {self.model.call}", draw.choice(pieces.LOSSES)]
        inside += self._texts(draw.some(pieces.INSIDE, self.has))
        if "<loss_fn>" in inside[1]:
            self.states["loss_fn"] = draw.choice(
                ("tf.keras.losses.MeanSquaredError()", "tf.keras.losses.Huber(delta=0.5)")
            )
        options = draw.choice(("", "", "", "persistent=True"))
        tape = f"with tf.GradientTape({options}) as tape:\n"
        lines = [*before, tape + textwrap.indent("\n".join(inside), "    ")]
        between = self._texts(draw.some(pieces.BETWEEN, self.has))
        variables = self.model.variables
        if not self.own_update and not between and "." in variables and draw.chance(0.1):
            lines.append(f"<optimizer>.apply(tape.gradient(loss, {variables}), {variables})")
        else:
            lines += [f"gradients = tape.gradient(loss, {variables})", *between, self._update()]
        extra = self.has | {"loss", "prediction"} | ({"inline"} if inline else set())
        after = self._texts(draw.some(pieces.AFTER, extra))
        return lines, after

    def _update(self) -> str:
        variables = self.model.variables
        if not self.own_update:
            return f"<optimizer>.apply_gradients(zip(gradients, {variables}))"
        return self.draw.choice(
            (
                f"for v, g in zip({variables}, gradients):\n    v.assign_sub(0.05 * g)",
                f"for v, g in zip({variables}, gradients):\n    v.assign(v - RATE * g)",
                f"_ = [v.assign_sub(0.05 * g) for v, g in zip({variables}, gradients)]",
                f"for i, v in enumerate({variables}):\n    v.assign_sub(0.05 * gradients[i])",
            )
        )

    def _loop(self, body: Sequence[str], *, has_loss: bool = True, has_x: bool = True) -> str:
        """The loop around a step, in a loop over epochs most often."""
        draw, turns = self.draw, self.turns
        has = self.has | ({"loss"} if has_loss else set())
        lines = [turns.body] if turns.body else []
        jumps = self._texts(draw.some(pieces.TURNS, has))
        early = [text for text in jumps if text.startswith("if step ==") and not turns.end]
        early = early if draw.chance(0.5) else []
        lines += [*early, *body, *(text for text in jumps if text not in early)]
        if turns.end:
            # A turn that goes on early would never end a while loop.
            lines = [line for line in lines if "continue" not in line] + [turns.end]
        loop = f"{turns.header}\n{textwrap.indent(_joined(lines), '    ')}"
        if draw.chance(0.1):
            loop += "\nelse:\n    print('through')"
        if draw.chance(0.04):
            loop = f"try:\n{textwrap.indent(loop, '    ')}\nexcept (ValueError, tf.errors.InvalidArgumentError) as e:\n    print(type(e).__name__)"
        if draw.chance(0.04):
            loop = f"try:\n{textwrap.indent(loop, '    ')}\nfinally:\n    print('over')"
        if draw.chance(0.04):
            loop = f"with counted(REMEMBERED) as number:\n{textwrap.indent(loop, '    ')}"
        if draw.chance(0.75):
            again = self._texts(draw.some(pieces.EPOCHS, has))
            start = "step = 0\n" if turns.end else ""
            whole = _joined([start.strip(), loop, *again])
            loop = f"for epoch in range({draw.choice((2, 3))}):\n{textwrap.indent(whole, '    ')}"
        ends = has | ({"x"} if has_x else set())
        return _joined([loop, *self._texts(draw.some(pieces.ENDS, ends))])

    def _shown(self, *, with_loss: bool) -> str:
        """Prints of all states."""
        lines = [f"print('variables', [np.array(v) for v in {self.model.variables}])"]
        for name in self.states:
            if name in _UNSHOWN:
                continue
            value = f"<{name}>.result()" if name in ("metric", "accuracy") else f"<{name}>"
            lines.append(f"print('{name}', {value})")
        if with_loss:
            lines.append("print('loss', np.array(loss))")
        return "\n".join(lines)

    # Forms

    def _inline(self) -> Phase:
        lines, after = self._step(inline=True)
        loop = self._loop([*lines, *after])
        shown = self._shown(with_loss=self.draw.chance(0.5))
        text = f"{self._made()}{self.turns.made}\n{loop}\n{shown}"
        return Phase(self.model.classes, self._filled(_Scope().spelled(text)), True)

    def _whole(self, *, yields: bool = False) -> Phase:
        """A function that holds the loop."""
        lines, after = self._step(inline=True)
        loop = self._loop([*lines, *after, *(["yield loss"] if yields else [])])
        shown = self._shown(with_loss=False)
        body = f"{self._made()}{self.turns.made}\n{loop}\n{shown}\nreturn loss"
        text = _Scope().spelled(body)
        name = f"train{self.number}"
        function = f"\n\ndef {name}():\n{textwrap.indent(text, '    ')}\n"
        calls = f"print(float({name}()))\n" * self.draw.choice((1, 1, 2))
        return Phase(
            self.model.classes + self._filled(function), calls, self.layout not in _LAYOUTS_OF_FILES
        )

    def _split(self) -> tuple[list[str], list[str], list[str]]:
        """A step, what follows in its function, and what follows its call."""
        lines, after = self._step(inline=False)
        stays = [text for text in after if "prediction" in text or self.draw.chance(0.4)]
        return lines, stays, [text for text in after if text not in stays]

    def _result(self) -> tuple[str, str, bool]:
        """How a step returns, how its call binds that, and whether that is the loss."""
        return self.draw.choice(
            (
                ("return loss", "loss = {}", True),
                ("return loss", "loss = {}", True),
                ("return loss", "loss = {}", True),
                ("return loss, prediction", "loss, prediction = {}", True),
                ("return {'loss': loss}", "loss = {}['loss']", True),
                ("return float(loss)", "loss = {}", True),
                ("return loss.numpy()", "loss = {}", True),
                ("return [loss, tf.reduce_mean(prediction)]", "loss, middle = {}", True),
            )
        )

    def _declared(self, lines: Sequence[str], word: str) -> list[str]:
        """`global` or `nonlocal` for the states that the lines bind."""
        text = "\n".join(lines)
        names = [n for n in sorted(self.sets) if re.search(rf"<{n}> (?:[-+*]?=)(?!=)", text)]
        return [f"{word} {', '.join(names)}"] if names else []

    def _called(self, call: str) -> tuple[list[str], list[str]]:
        """The lines that end a step, and those that call it."""
        end, form, _ = self._result()
        return [end], [form.format(call)]

    def _step_form(self, decorator: str = "") -> Phase:
        lines, stays, beside = self._split()
        call = self.draw.choice(("(x, y)", "(x, y)", "(x, y=y)", "(*(x, y))"))
        ends, calls = self._called(f"train_step{self.number}{call}")
        nested = self.layout in ("main",)
        body = [*lines, *stays, *ends]
        if "step" in re.findall(r"\bstep\b", "\n".join(body)):
            body = [line for line in body if not re.search(r"\bstep\b", line)]
        loop = self._loop([*calls, *beside])
        declared = self._declared(body, "nonlocal" if nested else "global")
        function = (
            f"\n{decorator}def train_step{self.number}(x, y):\n"
            f"{textwrap.indent(_joined([*declared, *body]), '    ')}\n\n"
        )
        shown = self._shown(with_loss=self.draw.chance(0.5))
        made = f"{self._made()}{self.turns.made}\n"
        text = f"{made}{function}\n{loop}\n{shown}"
        return Phase(self.model.classes, self._filled(_Scope().spelled(text)), True)

    def _starred(self) -> Phase:
        """A step that takes whatever it is called with."""
        phase = self._step_form()
        name = f"train_step{self.number}"
        statements = phase.statements.replace(
            f"def {name}(x, y):\n",
            f"def {name}(*batch, **named):\n    x, y = (*batch, *named.values())\n",
        )
        # A declaration stands before any use of its name.
        order = re.compile(r"(    x, y = \(\*batch.*\n)(    (?:global|nonlocal) .*\n)")
        return Phase(phase.definitions, order.sub(r"\2\1", statements), phase.can_move)

    def _async_step(self) -> Phase:
        """A step that is a coroutine."""
        phase = self._step_form()
        name = f"train_step{self.number}"
        call = re.compile(rf"(?<!def ){name}(\((?:[^()]|\([^()]*\))*\))")
        statements = call.sub(rf"drive({name}\1)", phase.statements)
        return Phase(
            phase.definitions,
            statements.replace(f"def {name}", f"async def {name}"),
            phase.can_move,
        )

    def _generator(self) -> Phase:
        """A function that gives one loss after the other."""
        phase = self._whole(yields=True)
        calls = f"for value in train{self.number}():\n    print('given', float(value))\n"
        return Phase(phase.definitions, calls, phase.can_move)

    def _awaited(self) -> Phase:
        """A coroutine that holds the loop, which may itself be asynchronous."""
        name = f"train{self.number}"
        phase = self._whole()
        text = phase.definitions.replace(f"def {name}()", f"async def {name}()")
        if self.draw.chance(0.5):
            text = re.sub(
                r"\bfor x, y in (data|batches|batches\(\)):",
                r"async for x, y in as_async(\1):",
                text,
            )
        calls = phase.statements.replace(f"{name}()", f"drive({name}())")
        return Phase(text, calls, phase.can_move)

    def _heir(self) -> Phase:
        """A class whose heir is what trains."""
        phase = self._method()
        name = f"Trainer{self.number}"
        way = self.draw.choice(
            (
                "    def step(self, x, y):\n        return super().step(x, y)\n",
                "    def fit(self):\n        print('heir')\n        return super().fit()\n",
                "    def step(self, *args, **kwargs):\n        self.own_calls = getattr(self, 'own_calls', 0) + 1\n"
                "        return super().step(*args, **kwargs)\n",
            )
        )
        heir = f"\n\nclass {name}(Base{self.number}):\n{way}\n"
        made = phase.definitions.replace(f"class {name}:", f"class Base{self.number}:")
        return Phase(made + heir, phase.statements, phase.can_move)

    def _filled(self, text: str) -> str:
        return text.replace("VARIABLES", _Scope().spelled(self.model.variables))

    def _decorated(self) -> Phase:
        """A step with a decorator of one's own."""
        phase = self._step_form("@noted\n")
        noted = (
            "\n\ndef noted(function):\n    calls = []\n\n    def wrapper(*args, **kwargs):\n"
            "        calls.append(1)\n        return function(*args, **kwargs)\n\n    return wrapper\n"
        )
        if self.draw.chance(0.5):
            noted = "\n\ndef noted(function):\n    REMEMBERED.append(0.0)\n    return function\n"
        return Phase(
            phase.definitions + noted.replace("noted", f"noted{self.number}"),
            phase.statements.replace("@noted", f"@noted{self.number}"),
            True,
        )

    def _params(self) -> Phase:
        """A step that is passed all that it uses."""
        lines, stays, beside = self._split()
        text = "\n".join([*lines, *stays]).replace("VARIABLES", self.model.variables)
        if any(re.search(rf"<{n}> (?:[-+*]?=)(?!=)", text) for n in self.sets):
            return self._step_form_of(lines, stays, beside)
        needed = sorted(set(_STATE.findall(text)))
        ends, calls = self._called(
            f"train_step{self.number}({', '.join([f'<{n}>' for n in needed] + ['x', 'y'])})"
        )
        body = [*lines, *stays, *ends]
        with_step = ["step"] if re.search(r"\bstep\b", "\n".join(body)) else []
        parameters = ", ".join([*needed, "x", "y", *with_step])
        calls = [line.replace("x, y)", "x, y, step)") for line in calls] if with_step else calls
        loop = self._loop([*calls, *beside])
        function = f"\n\ndef train_step{self.number}({parameters}):\n{textwrap.indent(_joined(body), '    ')}\n"
        scope = _Scope()
        shown = self._shown(with_loss=self.draw.chance(0.5))
        statements = f"{self._made()}{self.turns.made}\n{loop}\n{shown}"
        return Phase(
            self.model.classes + self._filled(scope.spelled(function)),
            self._filled(scope.spelled(statements)),
            True,
        )

    def _step_form_of(self, lines: list[str], stays: list[str], beside: list[str]) -> Phase:
        loop = self._loop([*lines, *stays, *beside])
        text = f"{self._made()}{self.turns.made}\n{loop}\n{self._shown(with_loss=True)}"
        return Phase(self.model.classes, self._filled(_Scope().spelled(text)), True)

    def _closure(self) -> Phase:
        """A function that makes the model and gives back the step and what to look at."""
        lines, stays, beside = self._split()
        kept = [text for text in beside if not _STATE.search(text) and "VARIABLES" not in text]
        stays += [text for text in beside if text not in kept]
        ends, calls = self._called("step_of_closure(x, y)")
        body = [*lines, *stays, *ends]
        body = [line for line in body if not re.search(r"\bstep\b", line)]
        declared = self._declared(body, "nonlocal")
        shown = self._shown(with_loss=False)
        inner = (
            f"def step_of_closure(x, y):\n{textwrap.indent(_joined([*declared, *body]), '    ')}\n\n"
            f"def show():\n{textwrap.indent(shown, '    ')}\n\nreturn step_of_closure, show"
        )
        made = self._made()
        name = f"make_step{self.number}"
        function = f"\n\ndef {name}():\n{textwrap.indent(made + inner, '    ')}\n"
        self.has -= {"keras", "optimizer", "scaled", "factor", "bias"}
        before = set(self.states)
        loop = self._loop([*calls, *kept])
        fresh = "".join(f"{n} = {v}\n" for n, v in self.states.items() if n not in before)
        loop = "\n".join(
            line for line in loop.splitlines() if "VARIABLES" not in line or "for v in" in line
        )
        loop = loop.replace("for v in VARIABLES:", "for v in []:")
        missing = "".join(
            f"{n} = {self.states[n]}\n" for n in sorted(set(_STATE.findall(loop)) & before)
        )
        text = (
            f"step_of_closure, show = {name}()\n{fresh}{missing}{self.turns.made}\n{loop}\nshow()"
        )
        scope = _Scope()
        return Phase(
            self.model.classes + self._filled(scope.spelled(function)), scope.spelled(text), True
        )

    def _method(self) -> Phase:
        lines, stays, beside = self._split()
        ends, calls = self._called("self.step(x, y)")
        body = [*lines, *stays, *ends]
        body = [line for line in body if not re.search(r"\bstep\b", line)]
        return self._class_of(_joined(body), [*calls, *beside])

    def _inlined_method(self) -> Phase:
        lines, after = self._step(inline=True)
        return self._class_of(None, [*lines, *after])

    def _class_of(self, step: str | None, turn: list[str]) -> Phase:
        loop = self._loop(turn)
        shown = self._shown(with_loss=False)
        scope = _Scope(pattern="self.{}")
        name = f"Trainer{self.number}"
        made = scope.spelled(self._made())
        fit = f"{self.turns.made}\n{loop}\nreturn loss"
        methods = [f"def __init__(self):\n{textwrap.indent(made, '    ')}"]
        if step is not None:
            methods.append(f"def step(self, x, y):\n{textwrap.indent(step, '    ')}\n")
        methods.append(f"def fit(self):\n{textwrap.indent(fit, '    ')}\n")
        methods.append(f"def show(self):\n{textwrap.indent(shown, '    ')}\n")
        inner = textwrap.indent("\n".join(methods), "    ")
        variables = scope.spelled(self.model.variables)
        text = scope.spelled(f"\n\nclass {name}:\n{inner}\n").replace("VARIABLES", variables)
        calls = [f"trainer = {name}()"]
        calls += ["print(np.array(trainer.fit()))"] * self.draw.choice((1, 1, 2))
        if self.draw.chance(0.25) and "scale" in self.states:
            calls.insert(1, "trainer.scale = 0.7")
        if self.draw.chance(0.15):
            calls = [line.replace("trainer", "other") for line in calls] + calls
        calls.append("trainer.show()")
        return Phase(
            self.model.classes + text, "\n".join(calls), self.layout not in _LAYOUTS_OF_FILES
        )

    def _asked(self, form: str) -> Phase:
        """A loop that asks the model, trained or not."""
        draw = self.draw
        question = draw.choice(pieces.QUESTIONS).replace("CALL", self.model.call)
        question = question.replace(
            "training=True", draw.choice(("training=False", "training=True"))
        )
        for name, first in pieces.ASKED.items():
            if f"<{name}>" in question:
                self.states[name] = first
                if re.search(rf"<{name}> [-+]?=", question):
                    self.sets.add(name)
        before = self._texts(draw.some(pieces.BEFORE, self.has))
        if form in ("step", "method", "closure", "params"):
            body = [*before, *question.split("\n<")[:1]]
            rest = question[len(question.split("\n<")[0]) :].strip()
            last = body[-1]
            if last.startswith("outputs") and "\n" not in last and "step" not in last:
                function = [*before, "return " + last.removeprefix("outputs = ")]
                declared = self._declared(
                    function, "nonlocal" if self.layout == "main" else "global"
                )
                text = f"\ndef answer{self.number}(x, y):\n{textwrap.indent(_joined([*declared, *function]), '    ')}\n\n"
                loop = self._loop([f"outputs = answer{self.number}(x, y)", rest], has_loss=False)
                whole = f"{self._made()}{self.turns.made}\n{text}\n{loop}\n{self._shown(with_loss=False)}"
                return Phase(self.model.classes, self._filled(_Scope().spelled(whole)), True)
        if form in ("inlined_method", "method"):
            return self._class_of_answers([*before, question])
        loop = self._loop([*before, question], has_loss=False)
        whole = f"{self._made()}{self.turns.made}\n{loop}\n{self._shown(with_loss=False)}"
        return Phase(self.model.classes, self._filled(_Scope().spelled(whole)), True)

    def _class_of_answers(self, turn: list[str]) -> Phase:
        return self._class_of(None, ["loss = 0.0", *turn])


def _recurrence(draw: Draw, layout: str, number: int) -> Phase:
    """A loop that computes its state from its state."""
    first, turn = draw.choice(pieces.RECURRENCES)
    is_real = "complex" not in first and "7, 11" not in first and "[tf" not in first
    has = {"step"} | ({"real"} if is_real else set())
    if "[tf" in first or "complex" in first:
        has.discard("step")
    beside = draw.some(pieces.BESIDE, has) if "[tf" not in first else []
    states = {name: value for piece in beside for name, value in piece.states.items()}
    texts = [piece.text for piece in beside]
    made = "".join(f"{name} = {value}\n" for name, value in states.items())
    turns = draw.choice((6, 12, 17))
    ends = [
        "print('state', np.array(state))",
        *(f"print(np.array({name}, dtype=object))" for name in states),
    ]
    if draw.chance(0.4):
        name = f"advance{number}"
        function = f"\n\ndef {name}(state):\n{textwrap.indent(turn, '    ')}\n    return state\n"
        loop = _joined([f"state = {name}(state)", *texts])
    else:
        function, loop = "", _joined([turn, *texts])
    header = draw.choice((f"for step in range({turns}):", f"for step in range(1, {turns}):"))
    text = f"{made}{first}\n{header}\n{textwrap.indent(loop, '    ')}\n" + "\n".join(ends)
    text = _Scope().spelled(text)
    if draw.chance(0.3):
        whole = f"\n\ndef simulate{number}():\n{textwrap.indent(text, '    ')}\n    return state\n"
        return Phase(function + whole, f"print(np.array(simulate{number}()))", True)
    return Phase(function, text, True)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if line)


def programs(seed: int, count: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Programs, each with the seed that makes it alone."""
    for number in range(seed, seed + count):
        yield number, program(number)
