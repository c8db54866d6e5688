# `zip`, `enumerate` and rows that are unpacked hand on elements of a tensor: each costs a slice, and
# tests, indices of lists and conversions wait for it.
import tensorflow as tf

scores = tf.random.stateless_normal([200, 5], seed=[1, 2])
truth = tf.random.stateless_uniform([200], seed=[1, 2], maxval=5, dtype=tf.int64)
names = ["a", "b", "c", "d", "e"]


def compared(guesses, labels):
    right = 0
    for guess, label in zip(guesses, labels):
        if guess == label:
            right += 1
    return right


def named(guesses):
    found = []
    for number, guess in enumerate(guesses):
        found.append((number, names[guess]))
    return found


def widths(boxes):
    return [float(right) - float(left) for left, _, right, _, _ in boxes]


def firsts(boxes):
    found = []
    for number, box in enumerate(boxes):
        found.append((number, box[0].numpy(), int(box[1])))
    return found


guesses = tf.argmax(scores, axis=1)
right, found, wide, first = compared(guesses, truth), named(guesses), widths(scores), firsts(scores)
print(right, found[:3], len(wide), len(first))
