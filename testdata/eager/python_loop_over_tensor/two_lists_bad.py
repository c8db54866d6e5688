# One loop fills two lists that are stacked below it: one loop, one word about it.
import tensorflow as tf

boxes = tf.reshape(tf.range(400, dtype=tf.float32), [100, 4])
centers = []
sizes = []
for i in range(100):
    box = boxes[i]
    centers.append((box[:2] + box[2:]) / 2.0)
    sizes.append(tf.abs(box[2:] - box[:2]))
centers = tf.stack(centers)
sizes = tf.stack(sizes)
