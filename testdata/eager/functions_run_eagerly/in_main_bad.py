# The switch in the function that the program begins with, given by keyword: all runs eagerly.
import tensorflow as tf


@tf.function
def simulate(position, velocity):
    for _ in tf.range(10):
        velocity -= 0.1 * position
        position += 0.1 * velocity
    return position


def main():
    tf.config.run_functions_eagerly(run_eagerly=True)
    return simulate(tf.constant(1.0), tf.constant(0.0))


if __name__ == "__main__":
    final = main()
