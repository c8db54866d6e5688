# Each turn is an epoch that Keras trains, and Keras traces its step; what is left is per epoch.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = tf.random.stateless_normal([48, 4], [2, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.05), "mse", jit_compile=False)
starts = [tf.identity(v) for v in model.trainable_variables]

best, moved = float("inf"), []
for epoch in range(6):
    history = model.fit(x, y, batch_size=8, epochs=1, verbose=0)
    loss = model.evaluate(x, y, verbose=0)
    squares = [tf.reduce_sum(tf.square(v - s)) for v, s in zip(model.trainable_variables, starts)]
    moved.append(float(tf.sqrt(tf.add_n(squares))))
    if loss < best:
        best = loss
        print("epoch", epoch, "better:", round(best, 4), "moved by", round(moved[-1], 4))
