# A subclassed model is compiled as well, and `run_eagerly=False` says nothing of it.
import keras


class Regressor(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = keras.layers.Dense(units, activation="relu")
        self.head = keras.layers.Dense(1)

    def call(self, inputs):
        return self.head(self.hidden(inputs))


def build(units):
    network = Regressor(units)
    network.compile(
        optimizer=keras.optimizers.SGD(0.1),
        loss=keras.losses.MeanSquaredError(),
        run_eagerly=False,
    )
    return network


network = build(4)
