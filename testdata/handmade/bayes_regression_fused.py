# Mean-field variational inference for Bayesian logistic regression.
# Maximises the ELBO with the reparameterisation trick.
import numpy as np
import tensorflow as tf

ITERATIONS = 80
N, D = 300, 5
MC_SAMPLES = 8

rng = np.random.default_rng(21)
true_w = rng.normal(size=D)
X = rng.normal(size=(N, D)).astype("float32")
p = 1.0 / (1.0 + np.exp(-(X @ true_w - 0.5)))
y = (rng.uniform(size=N) < p).astype("float32")

X = tf.convert_to_tensor(X)
y = tf.convert_to_tensor(y)

# variational parameters: weights and bias, means and log standard deviations
mu = tf.Variable(tf.zeros(D + 1), name="mu")
rho = tf.Variable(-1.0 * tf.ones(D + 1), name="rho")
prior_scale = 2.0


def sample_weights(n):
    eps = tf.random.normal([n, D + 1])
    return mu + tf.exp(rho) * eps


def log_likelihood(w):
    logits = tf.matmul(w[:, :D], X, transpose_b=True) + w[:, D:]
    labels = tf.broadcast_to(y, tf.shape(logits))
    ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    return -tf.reduce_sum(ce, axis=1)


def kl_divergence():
    variance = tf.exp(2.0 * rho)
    return 0.5 * tf.reduce_sum(
        (variance + mu**2) / prior_scale**2 - 1.0 - 2.0 * rho + 2.0 * np.log(prior_scale)
    )


def elbo():
    w = sample_weights(MC_SAMPLES)
    return tf.reduce_mean(log_likelihood(w)) - kl_divergence()


opt = tf.keras.optimizers.Adam(0.05)


@tf.function
def train_steps(count):
    values = tf.TensorArray(tf.float32, count)
    for step in tf.range(count):
        with tf.GradientTape() as tape:
            value = elbo()
            loss = -value
        gradients = tape.gradient(loss, [mu, rho])
        opt.apply_gradients(zip(gradients, [mu, rho]))
        values = values.write(step, value)
    return values.stack()


opt.build([mu, rho])
elbos = []
smooth = None

for i in range(19, ITERATIONS, 20):
    for value in train_steps(20):
        elbos.append(float(value))
        smooth = elbos[-1] if smooth is None else 0.9 * smooth + 0.1 * elbos[-1]
    print(f"{i + 1:5d}  ELBO {elbos[-1]:10.3f}  smoothed {smooth:10.3f}")

posterior_mean = mu.numpy()
posterior_std = np.exp(rho.numpy())
for d in range(D):
    print(f"w[{d}] = {posterior_mean[d]:+.3f} +- {posterior_std[d]:.3f}   (true {true_w[d]:+.3f})")

draws = sample_weights(200)
predictive = tf.reduce_mean(tf.sigmoid(draws[:, :D] @ tf.transpose(X) + draws[:, D:]), axis=0)
accuracy = np.mean((predictive.numpy() > 0.5) == (y.numpy() > 0.5))
print(f"accuracy of the predictive mean: {accuracy:.3f}")
