"""What some optimizer of some version takes may be right for one that is handed in."""

import tensorflow as tf


def update(optimizer, gradients, variables, step):
    optimizer.apply_gradients(zip(tf.nest.flatten(gradients), variables), global_step=step)


def update_alone(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(gradients, variables), experimental_aggregate_gradients=False)
