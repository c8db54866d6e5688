"""What the generated programs are put together from: text in which `<name>` stands for a state.

A state is a variable of the module, of a function, an attribute or a parameter, as the program has
it; `<model>(x)` may become `self.model(x)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Piece:
    """Statements, and the states that they need with what they begin with.

    `sets` are those that the statements bind anew, which a function has to declare; `needs` is
    what else must be there: "step", "keras", "optimizer", "loss", "raw", "inline".
    """

    text: str
    states: Mapping[str, str] = field(default_factory=dict)
    sets: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


def _piece(text: str, needs: str = "", sets: str = "", **states: str) -> Piece:
    return Piece(text, states, frozenset(sets.split()), frozenset(needs.split()))


@dataclass(frozen=True)
class Model:
    """How a model is made, called and trained: classes, statements, a call of `x`, its variables."""

    made: str
    call: str = "<model>(x)"
    variables: str = "<model>.trainable_variables"
    classes: str = ""
    traits: frozenset[str] = frozenset({"keras"})


_RAW = frozenset({"raw"})
_DRAWING = frozenset({"keras", "draws"})

MODELS = (
    Model(
        "<model> = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3, activation='tanh'), tf.keras.layers.Dense(1)])"
    ),
    Model(
        "<model> = tf.keras.Sequential([tf.keras.layers.Dense(5, activation='relu'), tf.keras.layers.Dense(1)])"
    ),
    Model(
        "<model> = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])\n<model>.build([None, 4])"
    ),
    Model(
        "<model> = tf.keras.Sequential()\n<model>.add(tf.keras.Input([4]))\n<model>.add(tf.keras.layers.Dense(1))"
    ),
    Model(
        "given = tf.keras.Input([4])\nhidden = tf.keras.layers.Dense(3, activation=tf.nn.tanh)(given)\n"
        "<model> = tf.keras.Model(given, tf.keras.layers.Dense(1)(hidden))"
    ),
    Model(
        "<model> = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(4, kernel_regularizer='l2'), "
        "tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])",
        call="<model>(x, training=True)",
    ),
    Model(
        "<model> = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(6), "
        "tf.keras.layers.Dropout(0.2, seed=4), tf.keras.layers.Dense(1)])",
        call="<model>(x, training=True)",
        traits=_DRAWING,
    ),
    Model("<model> = tf.keras.layers.Dense(1, kernel_initializer='ones')"),
    Model(
        "<layers> = [tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)]\nfor layer in <layers>:\n    layer.build([None, 4 if layer is <layers>[0] else 3])",
        call="<layers>[1](tf.nn.relu(<layers>[0](x)))",
        variables="[v for layer in <layers> for v in layer.trainable_variables]",
        traits=frozenset(),
    ),
    Model(
        "<model> = Net(3)",
        classes="""
class Net(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.first = tf.keras.layers.Dense(3, activation='relu')
        self.last = tf.keras.layers.Dense(1)
        self.scale = 0.5

    def call(self, x):
        return self.last(self.first(x)) * self.scale
""",
        traits=frozenset({"keras", "scaled"}),
    ),
    Model(
        "<model> = Net()\n<model>(tf.zeros([1, 4]))",
        call="<model>(x, training=True)",
        classes="""
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(3)
        self.noise = tf.keras.layers.Dropout(0.1, seed=2)
        self.last = tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        h = self.hidden(x)
        if training:
            h = self.noise(h, training=training)
        return self.last(h)
""",
        traits=_DRAWING,
    ),
    Model(
        "<model> = Net()",
        classes="""
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = tf.keras.layers.Dense(1)

    def call(self, x):
        self.calls += 1
        return self.last(x) * (1.0 + 0.1 * self.calls)
""",
    ),
    Model(
        "<model> = Net()",
        classes="""
class Twice(tf.keras.layers.Layer):
    def __init__(self, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, x):
        return x * self.factor


class Net(tf.keras.Sequential):
    def __init__(self):
        super().__init__([tf.keras.Input([4]), Twice(), tf.keras.layers.Dense(1)])
""",
    ),
    Model(
        "<model> = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Lambda(lambda t: t * <factor>), tf.keras.layers.Dense(1)])",
        traits=frozenset({"keras", "factor"}),
    ),
    Model(
        "<model> = Affine()",
        variables="<model>.trainable_variables",
        classes="""
class Affine(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones([4, 1]) * 0.3)
        self.b = tf.Variable(tf.zeros([1]))
        self.scale = 1.0

    def __call__(self, x):
        return (x @ self.w + self.b) * self.scale
""",
        traits=frozenset({"scaled"}),
    ),
    Model(
        "<w> = tf.Variable(tf.ones([4, 1]) * 0.2)\n<b> = tf.Variable(tf.zeros([1]))",
        call="x @ <w> + <b>",
        variables="[<w>, <b>]",
        traits=_RAW,
    ),
    Model(
        "<w> = tf.Variable(tf.ones([4, 3]) * 0.2)\n<v> = tf.Variable(tf.ones([3, 1]) * -0.4)",
        call="tf.matmul(tf.nn.tanh(tf.matmul(x, <w>)), <v>)",
        variables="[<w>, <v>]",
        traits=_RAW,
    ),
    Model(
        "<params> = [tf.Variable(tf.ones([4, 1]) * 0.2), tf.Variable(tf.zeros([1]))]",
        call="x @ <params>[0] + <params>[1]",
        variables="<params>",
        traits=_RAW,
    ),
    Model(
        "<params> = {'w': tf.Variable(tf.ones([4, 1]) * 0.2), 'b': tf.Variable(tf.zeros([1]))}",
        call="x @ <params>['w'] + <params>['b']",
        variables="list(<params>.values())",
        traits=_RAW,
    ),
)

#: Those of Keras' own layers that draw nothing, and bare variables.
PLAIN = (*MODELS[:5], *(model for model in MODELS if "raw" in model.traits))

#: With an epsilon that keeps gradients near zero from being blown up, and rounding with them.
OPTIMIZERS = (
    "SGD(0.05)", "SGD(0.02, momentum=0.9)", "Adam(0.01, epsilon=0.01)",
    "RMSprop(0.005, epsilon=0.01)", "Adagrad(0.1)",
    "SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 3, 0.5))", "SGD(0.1, clipnorm=0.5)",
    "SGD(learning_rate=RATE)", "Adam(1e-2, epsilon=0.01, weight_decay=0.01)",
)  # fmt: skip

#: What makes a loss of `prediction` and `y`.
LOSSES = (
    "loss = tf.reduce_mean(tf.square(prediction - y))",
    "loss = tf.reduce_sum(tf.abs(prediction - y))",
    "error = prediction - y\nloss = tf.reduce_mean(error * error)",
    "loss = tf.reduce_mean(tf.math.log(tf.cosh(prediction - y)))",
    "loss = tf.reduce_mean(tf.math.squared_difference(y, prediction))",
    "loss = <loss_fn>(y, prediction)",
    "loss = <loss_fn>(y, prediction)",
    "loss = mean_error(y, prediction)",
    "loss = tf.reduce_mean((y - prediction) ** POWER)",
)

#: In front of the tape.
BEFORE = (
    _piece("x = x * 2.0"),
    _piece("x = tf.nn.relu(x)"),
    _piece("y = tf.cast(y, tf.float32)\nx = tf.cast(x, tf.float32)"),
    _piece("x = x + 0.01 * tf.random.normal(tf.shape(x), seed=3)", "draws"),
    _piece("x = x + 0.01 * tf.random.stateless_normal(tf.shape(x), [1, 2])"),
    _piece("x = x + tf.constant(np.random.normal(size=(4,)).astype(np.float32))", "draws"),
    _piece("if x.shape[0] < 4:\n    x = x * 0.5"),
    _piece("n = x.shape[0]\nx = x / n"),
    _piece("x = tf.reshape(x, [x.shape[0], 2, 2])\nx = tf.reshape(x, [-1, 4])"),
    _piece("assert x.shape[1] == 4, 'four columns'"),
    _piece("tf.debugging.assert_all_finite(x, 'finite')"),
    _piece("if tf.reduce_sum(x) > 1.0:\n    x = x * 0.9"),
    _piece("x = x * RATES[<count> % 3]\n<count> += 1", count="0", sets="count"),
    _piece("x = x * FACTOR"),
    _piece("x = x * <scale>", scale="1.5"),
    _piece("x = x - <mean>\n<mean> *= 1.1", mean="np.zeros(4, np.float32) + 0.1", sets="mean"),
    _piece("x = x - <offset>", offset="np.zeros(4, np.float32) + 0.1"),
    _piece("mask = tf.cast(x > 0, x.dtype)\nx = x * mask"),
    _piece("if <verbose>:\n    print('a batch of', x.shape[0])", verbose="True"),
    _piece("with tf.name_scope('pre'):\n    x = x + 0.1"),
    _piece("x = <change>(x)", change="half"),
    _piece("x = <steps>['half'](x)", steps="{'half': half, 'double': lambda t: t * 2.0}"),
    _piece("for f in (half, tf.nn.tanh):\n    x = f(x)"),
    _piece("x = scaled(x, by=0.7)"),
    _piece("x = scaled(*(x,), **{'by': 0.7})"),
    _piece("x = tf.concat([x[:, :2], x[:, 2:]], axis=1)"),
    _piece("x, y = x[:4], y[:4]"),
    _piece("seen = sum(1 for _ in range(3))\nx = x / seen"),
    _piece("x = tf.where(tf.math.is_nan(x), tf.zeros_like(x), x)"),
    _piece("x = x * (2.0 if <count> < 2 else 0.5)\n<count> = <count> + 1", count="0", sets="count"),
    _piece("x = tf.stack([row * 0.9 for row in tf.unstack(x)])"),
    _piece("rows = []\nfor row in x:\n    rows.append(row)\nx = tf.stack(rows)"),
    _piece("x = {'x': x}['x']"),
    _piece("try:\n    x = x * 1.0\nexcept ValueError:\n    pass"),
    _piece("if isinstance(x, tf.Tensor):\n    x = x * 1.1\nelse:\n    x = x * 0.9"),
    _piece("if tf.executing_eagerly():\n    x = x * 1.25"),
    _piece("x = tf.numpy_function(np.tanh, [x], x.dtype)\nx = tf.reshape(x, [-1, 4])"),
    _piece("x = tf.convert_to_tensor(np.clip(x, -1, 1))"),
    _piece("x = scaled(x, by=len(<seen>) + 1.0)\n<seen>.append(1)", seen="[]"),
    _piece("x = x * next(<factors>)", factors="iter([0.5 + 0.01 * i for i in range(100)])"),
    _piece("x = x + <clock>.tick()", clock="Clock()"),
    _piece("whole = tf.cast(x * 10, tf.int32) // 3\nx = x + tf.cast(whole, x.dtype) * 0.01"),
    _piece("match x.shape[0]:\n    case 4:\n        x = x * 0.5\n    case n if n > 8:\n        x = x / n\n    case _:\n        x = x + 0.1"),
    _piece("match <mode>:\n    case 'fit' | 'train':\n        x = x * 1.1\n    case other:\n        x = x * len(other)", mode="'fit'"),
    _piece("match {'x': x, 'kind': 'plain'}:\n    case {'x': inner, **rest}:\n        x = inner * len(rest)"),
    _piece("match (x, y):\n    case [a, b] if b is not None:\n        x = a * 0.9\n        <count> += 1", count="0", sets="count"),
    _piece("try:\n    x = x * 0.9\nfinally:\n    <count> += 1", count="0", sets="count"),
    _piece("try:\n    x = x + {}['none']\nexcept KeyError as error:\n    x = x * len(str(error)) * 0.1\nelse:\n    x = x * 2.0\nfinally:\n    <tries>.append(x.shape[0])", tries="[]"),
    _piece("with counted(REMEMBERED):\n    x = x * 0.8"),
    _piece("with counted(REMEMBERED) as number, tf.name_scope('both'):\n    x = x / number"),
    _piece("x = x * [small := 0.5, small * 2.0][1]"),
    _piece("if (half_of := x * 0.5) is not None:\n    x = half_of"),
    _piece("first, *others = tf.unstack(x)\nx = tf.stack([first * 0.5, *others])"),
    _piece("*head, last_column = tf.split(x, 4, axis=1)\nx = tf.concat([*head, last_column * 0.5], 1)"),
    _piece("x = x * (1.0 + 0.01 * <counter>())", counter="make_counter()"),
    _piece("x = sum(part for part in (x * 0.5, x * 0.25))"),
    _piece("parts = {k: x * k for k in (0.5, 0.25)}\nx = parts[0.5] + parts[0.25]"),
    _piece("tries = 0\nwhile True:\n    tries += 1\n    if tries > 2:\n        break\n    x = x * 0.9"),
    _piece("for k in range(3):\n    if k == 1:\n        continue\n    x = x * (1.0 - 0.1 * k)\nelse:\n    x = x + 0.1"),
    _piece("x = x * <config>.rate", config="Config()"),
    _piece("<config>.seen += 1\nx = x / <config>.seen", config="Config()"),
    _piece("x = x * <config>.level", config="Config()"),
    _piece("x = <part>(x)", part="functools.partial(scaled, by=0.9)"),
    _piece("x = drive(fetched(x))"),
    _piece("scale_of = lambda t, by=0.7: t * by\nx = scale_of(x)"),
    _piece("def inner(t, *rest, by=0.9, **named):\n    return t * by + len(rest) + len(named)\n\nx = inner(x, 1, k=2)"),
    _piece("def nested(t):\n    deep = 0.5\n\n    def deeper():\n        nonlocal deep\n        deep = deep * 1.5\n        return t * deep\n\n    return deeper() + deeper()\n\nx = nested(x)"),
    _piece("x = x if 0 < x.shape[0] <= 8 else x * 0.9"),
    _piece("x = next(iter([x * k for k in (0.9, 0.8)]))"),
)  # fmt: skip

#: In the tape, behind the loss.
INSIDE = (
    _piece("loss = loss + 0.01 * tf.add_n([tf.nn.l2_loss(v) for v in VARIABLES])"),
    _piece("if <model>.losses:\n    loss += tf.add_n(<model>.losses)", "keras"),
    _piece("loss = loss + sum(<model>.losses)", "keras"),
    _piece("loss = loss * <weight>", weight="0.5"),
    _piece("loss = loss * <weight>", weight="tf.Variable(0.5, trainable=False)"),
    _piece("if (size := tf.size(prediction)) > 3:\n    loss = loss / tf.cast(size, loss.dtype)"),
    _piece("if tf.is_tensor(x):\n    tape.watch(x)"),
    _piece("penalty = tf.reduce_mean(tf.square(prediction))\nloss = loss + 0.1 * penalty"),
    _piece("if PENALTY:\n    loss = loss + 0.1 * tf.reduce_mean(tf.abs(prediction))"),
    _piece("loss = tf.cast(loss, tf.float32)"),
    _piece("with tape.stop_recording():\n    spread = tf.math.reduce_std(prediction)"),
    _piece("for k in range(2):\n    loss = loss + 0.01 * k * tf.reduce_mean(tf.square(VARIABLES[0]))"),
    _piece("loss = loss + tf.stop_gradient(<ema>)", ema="tf.Variable(0.0, trainable=False)"),
    _piece("loss = loss * (1 + <epoch_number>)", epoch_number="0"),
)  # fmt: skip

#: Between the gradients and the update.
BETWEEN = (
    _piece("gradients = [tf.clip_by_norm(g, 1.0) for g in gradients]"),
    _piece("gradients, norm = tf.clip_by_global_norm(gradients, 1.0)"),
    _piece("norm = tf.linalg.global_norm(gradients)\n<norms>.append(norm)", norms="[]"),
    _piece("norm = tf.linalg.global_norm(gradients)\n<norms>.append(float(norm))", norms="[]"),
    _piece("gradients = [g if g is not None else tf.zeros_like(v) for g, v in zip(gradients, VARIABLES)]"),
    _piece("if any(g is None for g in gradients):\n    raise RuntimeError('no gradient')"),
    _piece("gradients = [g * 0.5 for g in gradients]"),
    _piece("gradients = list(map(lambda g: g / 2.0, gradients))"),
    _piece("if loss > 100.0:\n    gradients = [tf.zeros_like(g) for g in gradients]"),
    _piece("<largest> = max(<largest>, float(tf.reduce_max(gradients[0])))", sets="largest", largest="-1.0"),
)  # fmt: skip

#: Behind the update; may go beside the call where a function makes the step.
AFTER = (
    _piece("<metric>.update_state(loss)", metric="tf.keras.metrics.Mean()"),
    _piece("<metric>(loss)", metric="tf.keras.metrics.Mean()"),
    _piece("<accuracy>.update_state(y > 0, prediction > 0)", accuracy="tf.keras.metrics.BinaryAccuracy()", needs="prediction"),
    _piece("<ema> = 0.9 * <ema> + 0.1 * loss", ema="0.0", sets="ema"),
    _piece("<ema> = 0.9 * <ema> + 0.1 * loss", ema="tf.constant(0.0)", sets="ema"),
    _piece("<average>.assign(0.9 * <average> + 0.1 * loss)", average="tf.Variable(0.0)"),
    _piece("<count> += 1", count="0", sets="count"),
    _piece("<losses>.append(loss)", losses="[]"),
    _piece("<losses>.append(float(loss))", losses="[]"),
    _piece("<losses>.append(loss.numpy())", losses="[]"),
    _piece("<losses> += [loss]", losses="[]", sets="losses"),
    _piece("<total> += loss", total="0.0", sets="total"),
    _piece("<total> = <total> + float(loss)", total="0.0", sets="total"),
    _piece("<best> = min(<best>, float(loss))", best="1e9", sets="best"),
    _piece("if loss < <best>:\n    <best> = loss", best="1e9", sets="best"),
    _piece("<last> = loss", last="None", sets="last"),
    _piece("if <last> is loss:\n    print('the same')\n<last> = loss", last="None", sets="last"),
    _piece("<first_seen>.setdefault(x.shape[0], loss)", first_seen="{}"),
    _piece("<by_step>[len(<by_step>)] = loss.numpy()", by_step="{}"),
    _piece("<table>[loss.ref()] = 1", table="{}"),
    _piece("tf.print('loss', loss > 0)"),
    _piece("print('loss', float(loss))"),
    _piece("print(f'{loss:.4f}')"),
    _piece("print(loss)"),
    _piece("print(loss.numpy(), type(loss).__name__, loss.dtype)"),
    _piece("print(type(loss), loss.shape)"),
    _piece("if step % 3 == 0:\n    print('step', step, float(loss))", needs="step"),
    _piece("if step == 2:\n    print('at two', loss)", needs="step"),
    _piece("<optimizer>.learning_rate = 0.05 / (1 + step)", needs="step optimizer"),
    _piece("<optimizer>.learning_rate.assign(0.01)", needs="optimizer"),
    _piece("print(int(<optimizer>.iterations))", needs="optimizer"),
    _piece("VARIABLES[-1].assign_add(tf.ones_like(VARIABLES[-1]) * 0.001)"),
    _piece("<model>.trainable = not <model>.trainable\n<model>.trainable = True", needs="keras"),
    _piece("if np.isnan(loss):\n    raise ValueError('no number')"),
    _piece("assert loss >= -1e9"),
    _piece("del gradients", needs="inline"),
    _piece("x = None", needs="inline"),
    _piece("if isinstance(loss, float):\n    print('a number')"),
    _piece("<offset> += 0.05", offset="np.zeros(4, np.float32) + 0.1", sets="offset"),
    _piece("<scale> = <scale> * 0.9", scale="1.5", sets="scale"),
    _piece("<rows> = tf.concat([<rows>, [loss]], axis=0)", rows="tf.zeros([0])", sets="rows"),
    _piece("hits = [v for v in (loss, -loss) if v > 0]\nprint(len(hits))"),
    _piece("with open('log.txt', 'a') as log:\n    log.write('x')"),
    _piece("try:\n    {}['missing']\nexcept KeyError as error:\n    print(error)"),
    _piece("shadow = <model>.get_weights()\n<model>.set_weights([w * 0.99 for w in shadow])", needs="keras"),
    _piece("<copy>.assign(loss)\nprint(float(<copy>))", copy="tf.Variable(0.0)"),
    _piece("remember(loss)"),
    _piece("remember('loss', value=loss)"),
    _piece("print(len(REMEMBERED))"),
    _piece("try:\n    <losses>.append(float(loss))\nfinally:\n    <count> += 1", losses="[]", count="0", sets="count"),
    _piece("match float(loss) > 1.0:\n    case True:\n        <high> += 1\n    case False:\n        <low> += 1", high="0", low="0", sets="high low"),
    _piece("match loss:\n    case tf.Tensor():\n        <high> += 1\n    case float() | int():\n        <low> += 1", high="0", low="0", sets="high low"),
    _piece("with counted(REMEMBERED):\n    <total> += float(loss)", total="0.0", sets="total"),
    _piece("<history> = [*<history>, float(loss)]", history="[]", sets="history"),
    _piece("<logs> = {**<logs>, 'loss': float(loss), len(<logs>): 1}", logs="{}", sets="logs"),
    _piece("remember(*[loss], **{'name': 'loss'})"),
    _piece("print(f'{(value := float(loss)):.4f}', value > 0)"),
    _piece("<stats>.add(loss)", stats="Stats()"),
    _piece("<stats> += loss", stats="Stats()", sets="stats"),
    _piece("<seen>.extend(float(v) for v in (loss, -loss))", seen="[]"),
    _piece("<running>.send(float(loss))", running="running_mean()"),
    _piece("print(drive(fetched(float(loss))))"),
    _piece("<losses>[len(<losses>):] = [loss]", losses="[]"),
)  # fmt: skip

#: In a loop around steps, beside them.
TURNS = (
    _piece("if step == 1:\n    continue", needs="step"),
    _piece("if step == 3:\n    break", needs="step"),
    _piece("if loss < 1e-4:\n    break", needs="loss"),
    _piece("if float(loss) < 0.05:\n    print('early')\n    break", needs="loss"),
    _piece("<count> += 1\nif <count> >= 6:\n    break", count="0", sets="count"),
    _piece("<patience> = 0 if loss < 1.0 else <patience> + 1\nif <patience> > 2:\n    break", patience="0", sets="patience", needs="loss"),
    _piece("print('turn')"),
    _piece("<model>.scale = <model>.scale * 0.9", needs="scaled"),
    _piece("<factor> = <factor> * 0.9", factor="1.0", sets="factor", needs="factor"),
    _piece("setattr(<model>, 'scale', 0.1)", needs="scaled"),
)  # fmt: skip

#: In the loop over epochs, behind the steps.
EPOCHS = (
    _piece("print('epoch', epoch, float(loss))", needs="loss"),
    _piece("print('epoch', epoch, loss)", needs="loss"),
    _piece("print('mean', float(<metric>.result()))\n<metric>.reset_state()", metric="tf.keras.metrics.Mean()"),
    _piece("<scale> = <scale> * 0.5", scale="1.5", sets="scale"),
    _piece("<epoch_number> = epoch + 1", epoch_number="0", sets="epoch_number"),
    _piece("<verbose> = False", verbose="True", sets="verbose"),
    _piece("<weight> = 0.25", weight="0.5", sets="weight"),
    _piece("<change> = tf.nn.tanh", change="half", sets="change"),
    _piece("<steps>['half'] = tf.nn.tanh", steps="{'half': half, 'double': lambda t: t * 2.0}"),
    _piece("<optimizer>.learning_rate = 0.01 * (epoch + 1)", needs="optimizer"),
    _piece("<optimizer> = tf.keras.optimizers.SGD(0.01)", sets="optimizer", needs="optimizer"),
    _piece("<model>.trainable = False\nprint(len(<model>.trainable_variables))\n<model>.trainable = True", needs="keras"),
    _piece("for v in VARIABLES:\n    v.assign(v * 0.9)"),
    _piece("<model>.scale = 1.0 / (epoch + 2)", needs="scaled"),
    _piece("<factor> = 0.5", factor="1.0", sets="factor", needs="factor"),
    _piece("if epoch == 0:\n    <model>.layers[0].trainable = False", needs="keras"),
    _piece("if len(<losses>) > 4:\n    break", losses="[]"),
    _piece("<losses>.clear()", losses="[]"),
    _piece("<b> = tf.Variable(tf.ones([1]))", sets="b", needs="bias"),
    _piece("<w>.assign(tf.transpose(tf.transpose(<w>)))", needs="bias"),
)  # fmt: skip

#: Behind all loops.
ENDS = (
    _piece("print(float(loss), type(loss).__name__)", needs="loss"),
    _piece("print(isinstance(loss, tf.Tensor), loss.shape)", needs="loss"),
    _piece("print(x.shape)", needs="x"),
    _piece("print(<model>.built, len(<model>.weights))", needs="keras"),
    _piece("print([tuple(v.shape) for v in <optimizer>.variables][:3])", needs="optimizer"),
    _piece("print(int(<optimizer>.iterations))", needs="optimizer"),
    _piece("print(REMEMBERED[-1:])"),
)  # fmt: skip

#: Loops that compute without a gradient: what they begin with, and a turn.
RECURRENCES = (
    ("state = tf.ones([3])", "state = tf.tanh(tf.linalg.matvec(MATRIX, state)) + 0.1 * state"),
    ("state = tf.ones([3])", "k = state * (1.0 - state) * RATE\nstate = state + k\nstate = tf.clip_by_value(state, -2.0, 2.0)"),
    ("state = tf.ones([3])", "state = tf.linalg.matvec(MATRIX, state)\nnorm = tf.norm(state)\nstate = state / norm"),
    ("state = tf.ones([3], tf.float64)", "state = tf.sin(state) + tf.cos(state) * 0.5\nstate = tf.sqrt(tf.abs(state))"),
    ("state = tf.constant([7, 11, 13])", "state = state * 1103515245 + 12345\nstate = state ^ (state // 65536)\nstate = tf.math.floormod(state, 9973)"),
    ("state = tf.complex([1.0, 0.5], [0.0, 0.1])", "state = state * state\nstate = state / tf.cast(tf.abs(state) + 0.1, tf.complex64)"),
    ("state = np.ones(3, np.float32)", "state = tf.tanh(tf.linalg.matvec(MATRIX, state))\nstate = state + 0.1"),
    ("state = tf.ones([3])", "state = tf.concat([state, state[-1:] * 0.5], axis=0)\nstate = tf.nn.relu(state) * 0.9"),
    ("state = [tf.ones([3]), tf.zeros([3])]", "p, v = state\na = -p + 0.1 * tf.sin(v)\nstate = [p + 0.1 * v, v + 0.1 * a]"),
    ("state = 0.5", "state = tf.sin(state) * 1.1\nstate = state + tf.cos(state) * 0.1"),
)  # fmt: skip

#: Beside a turn of a recurrence.
BESIDE = (
    _piece("<trace>.append(state)", trace="[]"),
    _piece("<trace>.append(np.array(state))", trace="[]"),
    _piece("<turns> += 1", turns="0", sets="turns"),
    _piece("if tf.reduce_max(tf.abs(state)) > 1e6:\n    break", needs="real"),
    _piece("if step % 4 == 0:\n    print(step, np.array(state))", needs="step"),
    _piece("total = tf.reduce_sum(state)\nprint('total', np.array(total))"),
    _piece("<matrix_scale> *= 0.9\nstate = state * <matrix_scale>", matrix_scale="1.0", sets="matrix_scale", needs="real"),
    _piece("state = state * (step + 1) / (step + 2)", needs="step real"),
    _piece("state = state + step", needs="step real"),
)  # fmt: skip

#: Loops that ask a model without a gradient.
QUESTIONS = (
    "outputs = CALL\n<answers>.append(outputs.numpy())",
    "outputs = CALL\n<metric>.update_state(tf.square(outputs - y))",
    "outputs = CALL\nerror = tf.reduce_mean(tf.abs(outputs - y))\n<answers>.append(error)",
    "outputs = CALL\n<error> += float(tf.reduce_sum(outputs))",
    "with tf.GradientTape() as tape:\n    outputs = CALL\n    error = tf.reduce_mean(tf.square(outputs - y))\n<answers>.append(float(error))",
    "outputs = CALL\nprint(np.array(outputs[0]))",
    "outputs = CALL\n<best> = max(<best>, float(tf.reduce_max(outputs)))",
    "chosen = tf.argmax(tf.concat([CALL, -CALL], 1), axis=1)\n<answers>.append(chosen.numpy())",
)
ASKED = {
    "answers": "[]", "metric": "tf.keras.metrics.Mean()", "error": "0.0", "best": "-1e9",
}  # fmt: skip

HELPERS = '''
import contextlib
import dataclasses
import functools

FACTOR = 0.8
RATE = 0.05
POWER = 2
PENALTY = {penalty}
RATES = [1.0, 0.5, 0.25]
MATRIX = tf.constant([[0.5, 0.1, 0.0], [0.2, 0.4, 0.1], [0.0, 0.3, 0.6]])
REMEMBERED = []


class Clock:
    """Counts its own reads."""

    def __init__(self):
        self.now = 0.0

    def tick(self):
        self.now += 0.01
        return self.now


def half(t):
    return t * 0.5


def scaled(t, by=1.0):  # with a default
    return t * by


def mean_error(y, prediction, power=2.0):
    """A loss of one's own."""
    return tf.reduce_mean(tf.abs(y - prediction) ** power)


def remember(*values, **named):
    REMEMBERED.extend(float(v) for v in (*values, *named.values()) if not isinstance(v, str))


@contextlib.contextmanager
def counted(log):
    """Notes that a block ran, whether it ended or raised."""
    log.append(1.0)
    try:
        yield len(log)
    finally:
        log.append(2.0)


@dataclasses.dataclass
class Config:
    """What a program is set to."""

    rate: float = 0.9
    seen: int = 0

    @property
    def level(self):
        self.seen += 1
        return 1.0 / self.seen


class Stats:
    """Adds up."""

    def __init__(self):
        self.sum, self.count = 0.0, 0

    def add(self, value):
        self.sum += float(value)
        self.count += 1
        return self

    __iadd__ = add

    def __repr__(self):
        return f"Stats({{self.sum:.5f}} {{self.count}})"


def make_counter():
    number = 0

    def tick(by=1):
        nonlocal number
        number += by
        return number

    return tick


def running_mean():
    """A generator that is sent numbers."""

    def means():
        total, count = 0.0, 0
        while True:
            total += yield total / max(count, 1)
            count += 1

    made = means()
    next(made)
    return made


def drive(coroutine):
    """Run what never waits."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value


async def fetched(value):
    return value * 0.9


async def as_async(values):
    for value in values:
        yield value
'''
