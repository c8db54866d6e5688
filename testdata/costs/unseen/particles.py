"""A particle filter: move, weigh, draw again."""
import numpy as np
import tensorflow as tf

TRACKS = 3
COUNT = 300


def move(particles):
    position, speed = particles[:, 0], particles[:, 1]
    speed = 0.95 * speed + 0.1 * tf.random.normal([COUNT])
    return tf.stack([position + speed, speed], axis=1)


def weigh(particles, measured):
    off = (particles[:, 0] - measured) / 0.4
    return tf.nn.log_softmax(-0.5 * tf.square(off))


def draw_again(particles, logs):
    chosen = tf.random.categorical(logs[tf.newaxis], COUNT)[0]
    return tf.gather(particles, chosen)


def advance(particles, measured):
    particles = move(particles)
    logs = weigh(particles, measured)
    guess = tf.reduce_sum(tf.exp(logs)[:, None] * particles, axis=0)
    return draw_again(particles, logs), guess


rng = np.random.default_rng(7)
for track in range(TRACKS):
    particles = tf.zeros([COUNT, 2])
    guesses = []
    for measured in rng.normal(size=20).cumsum():
        particles, guess = advance(particles, tf.constant(measured, tf.float32))
        guesses.append(guess)
    print(guesses[-1].numpy())
