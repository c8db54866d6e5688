# A helper waits for somebody's answer on each turn, which takes longer than all operations.
import builtins

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
scorer = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
answers = iter(["yes", "no", "stop"])
builtins.input = lambda prompt="": next(answers)
given = []


def asked(best):
    text = input(f"is it {best}? ")
    return text.strip().lower()


while True:
    drawn = tf.random.stateless_uniform([1, 4], [2, len(given)])
    odds = tf.nn.softmax(scorer(drawn) * 2.0)
    answer = asked(int(tf.argmax(odds[0])))
    given.append((answer, float(tf.reduce_max(odds))))
    if answer == "stop":
        break
del answers
