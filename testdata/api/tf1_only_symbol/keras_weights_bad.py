# Optimizers of TensorFlow 1 refuse the variables of Keras 3, and a session a graph that nobody built: no fix.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])


def train(x):
    optimizer = tf.train.AdamOptimizer(0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


def show(x):
    session = tf.Session()
    print(session.run(x))
