"""Attention written out with einsum, trained by momentum to copy the first word."""
import tensorflow as tf

STEPS = 24
HEADS, WIDTH = 2, 8


class Attend(tf.Module):
    def __init__(self, name=None):
        super().__init__(name)
        start = tf.random.Generator.from_seed(5)
        self.q, self.k, self.v = (
            tf.Variable(0.3 * start.normal([WIDTH, HEADS, WIDTH])) for _ in range(3))
        self.o = tf.Variable(0.3 * start.normal([HEADS, WIDTH, WIDTH]))

    def __call__(self, x):
        q = tf.einsum("btd,dhe->bthe", x, self.q)
        k = tf.einsum("btd,dhe->bthe", x, self.k)
        v = tf.einsum("btd,dhe->bthe", x, self.v)
        shares = tf.nn.softmax(tf.einsum("bthe,bshe->bhts", q, k) / WIDTH ** 0.5)
        mixed = tf.einsum("bhts,bshe->bthe", shares, v)
        return x + tf.einsum("bthe,hed->btd", mixed, self.o)


@tf.function
def train_one(attend, optimizer, x):
    with tf.GradientTape() as tape:
        made = attend(x)
        loss = tf.reduce_mean((made - x[:, :1]) ** 2)
    gradients = tape.gradient(loss, attend.trainable_variables)
    optimizer.apply_gradients(zip(gradients, attend.trainable_variables))
    return loss


if __name__ == "__main__":
    attend = Attend()
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    batch = tf.random.stateless_normal([4, 6, WIDTH], [1, 1])
    history = []
    for i in range(STEPS):
        history.append(train_one(attend, optimizer, batch))
    print(history[0].numpy(), history[-1].numpy())
