"""Heat that spreads over a square plate, by explicit finite differences."""
import tensorflow as tf

FRAMES = 4
SIZE = 64
ALPHA, DT, DX = 0.1, 0.1, 1.0

plate = tf.zeros([SIZE, SIZE])
source = tf.pad(tf.ones([8, 8]), [[28, 28], [28, 28]])
temperature = plate + 100.0 * source


def laplacian(u):
    padded = tf.pad(u, [[1, 1], [1, 1]], mode="SYMMETRIC")
    up, down = padded[:-2, 1:-1], padded[2:, 1:-1]
    left, right = padded[1:-1, :-2], padded[1:-1, 2:]
    return (up + down + left + right - 4.0 * u) / DX**2


def step(u):
    u = u + DT * ALPHA * laplacian(u)
    u = tf.where(source > 0, 100.0, u)
    return tf.clip_by_value(u, 0.0, 100.0)


for frame in range(FRAMES):
    for _ in range(100):
        temperature = step(temperature)
    print(frame, float(tf.reduce_mean(temperature)))
