# `predict` and `tf.config` run Python of their own, which a trace can't hold.
# intent: correcting
import tensorflow as tf

policy = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])


@tf.function
def act(observation):
    scores = policy.predict(observation)
    tf.config.optimizer.set_jit(True)
    return tf.argmax(scores, axis=1)


action = act(tf.ones([1, 4]))
