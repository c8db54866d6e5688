# Placeholders, sessions and their variables: TensorFlow 1 throughout, in one note.
# intent: correcting
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
y = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(y - 1.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(10):
        _, value = session.run([train, loss], {x: [[1.0, 2.0]]})
        print(step, value)
