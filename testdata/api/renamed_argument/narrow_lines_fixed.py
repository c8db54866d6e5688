# A longer name makes a longer line, and no two lines: logs say their numbers, AutoGraph finds lambdas by them.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
rates = {"first": 0.1, "second": 0.01, "third": 0.001, "fourth": 0.0001}
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=rates["second"]),
              loss="mse")
squares = tf.map_fn(lambda x: tf.square(x), tf.range(8), fn_output_signature=tf.int32, name="sq")
sums = tf.map_fn(lambda x: x + tf.reduce_sum(squares), tf.range(4),
                 fn_output_signature=tf.int32)
total = tf.add_n([tf.cast(tf.reduce_sum(squares), tf.float32) * 0.5,
                  tf.cast(tf.reduce_sum(sums), tf.float32)])
