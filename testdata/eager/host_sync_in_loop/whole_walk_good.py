# Each call walks until a tensor says that it is over: to read what comes of it is nothing beside.
import tensorflow as tf


@tf.function
def walk(start, pull):
    place, steps = start, 0
    while tf.abs(place) > 0.1:
        place -= pull * place
        steps += 1
    return place, steps


results = []
for turn in range(20):
    place, steps = walk(tf.constant(2.0 + turn), tf.constant(0.05))
    results.append((place.numpy(), int(steps)))
