# Behind `elif`, and in the test of a loop, no line reads the tensor in front of what it is asked for in.
import tensorflow as tf

scores = tf.random.stateless_uniform([100], seed=[1, 2])
limit, kept = 0.5, 0
if limit > 1.0:
    kept = 0
elif sum(int(float(scores[i]) > limit) for i in range(100)) > 10:
    kept = 1
while [float(scores[i]) for i in range(100)][0] < 0.9:
    scores = scores + 0.1
print(kept, scores.shape)
