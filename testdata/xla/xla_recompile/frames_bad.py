# The index changes on each turn: `tf.gather` where it is shown to be in range, not for a slice.
import tensorflow as tf

FRAMES = 8


@tf.function(jit_compile=True)
def brightness(video, number):
    frame = video[number]
    return tf.reduce_mean(frame)


@tf.function(jit_compile=True)
def before(video, number):
    return tf.reduce_sum(video[:number])


video = tf.reshape(tf.range(8.0 * 6.0), [FRAMES, 2, 3])
levels = []
for number in range(FRAMES):
    levels.append(float(brightness(video, tf.constant(number))))
    levels.append(float(before(video, tf.constant(number))))
