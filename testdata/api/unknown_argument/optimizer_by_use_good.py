"""What some optimizer of some version takes may be right for one that is handed in, and what a class that is
handed in makes may be of any class."""

import tensorflow as tf


def update(optimizer, gradients, variables, step):
    optimizer.apply_gradients(zip(tf.nest.flatten(gradients), variables), global_step=step)


def update_alone(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(gradients, variables), experimental_aggregate_gradients=False)


def update_with(make, gradients, variables, **settings):
    optimizer = make(**settings)
    optimizer.apply_gradients(zip(gradients, variables), decayed_variables=variables)
