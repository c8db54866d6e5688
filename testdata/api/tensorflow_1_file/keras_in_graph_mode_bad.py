# Eager execution is switched off in `main`, so that TensorFlow 2's advice is withheld.
import tensorflow as tf


def main():
    if tf.executing_eagerly():
        tf.compat.v1.disable_eager_execution()
    model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(lr=0.1)
    model.compile(optimizer, "mse")
    for _ in range(100):
        model.predict(tf.ones([1, 2]))


if __name__ == "__main__":
    main()
