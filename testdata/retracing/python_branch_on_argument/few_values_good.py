# Flags, None and a few depths make a few traces, as the author meant.
import tensorflow as tf


@tf.function
def forward(x, training, depth=2, mask=None):
    for _ in range(depth):
        x = x * 0.5
    if mask is not None:
        x = x * mask
    if training:
        x = x + 0.1
    return x


x = tf.ones([4])
for step in range(100):
    forward(x, training=step % 2 == 0)
    forward(x, True, 3)
    forward(x, False, depth=step // 50)
for fold in range(4):
    forward(x, True, fold)
