"""Movie ratings by matrix factorisation with biases, stochastic gradient descent on minibatches."""
import numpy as np
import tensorflow as tf

NUM_USERS = 60
NUM_ITEMS = 80
RANK = 8
EPOCHS = 5
BATCH = 128
LR = 5.0
REG = 0.02


def synthetic_ratings(rng, count):
  users = rng.randint(NUM_USERS, size=count)
  items = rng.randint(NUM_ITEMS, size=count)
  u = rng.randn(NUM_USERS, 3)
  v = rng.randn(NUM_ITEMS, 3)
  ratings = 3.5 + 0.6 * (u[users] * v[items]).sum(axis=1) + 0.2 * rng.randn(count)
  return users, items, np.clip(ratings, 1, 5).astype(np.float32)


rng = np.random.RandomState(14)
users, items, ratings = synthetic_ratings(rng, 2560)
n_train = 2048
mean_rating = ratings[:n_train].mean()

U = tf.Variable(0.1 * rng.randn(NUM_USERS, RANK), dtype=tf.float32)
V = tf.Variable(0.1 * rng.randn(NUM_ITEMS, RANK), dtype=tf.float32)
bu = tf.Variable(tf.zeros([NUM_USERS]))
bi = tf.Variable(tf.zeros([NUM_ITEMS]))
params = [U, V, bu, bi]


def predict(user_ids, item_ids):
  dot = tf.reduce_sum(tf.gather(U, user_ids) * tf.gather(V, item_ids), axis=1)
  return mean_rating + dot + tf.gather(bu, user_ids) + tf.gather(bi, item_ids)


def loss_fn(user_ids, item_ids, target):
  error = target - predict(user_ids, item_ids)
  l2 = tf.reduce_sum(tf.gather(U, user_ids) ** 2) + tf.reduce_sum(tf.gather(V, item_ids) ** 2)
  return tf.reduce_mean(error ** 2) + REG * l2 / BATCH


def train_one_batch(user_ids, item_ids, target, lr):
  with tf.GradientTape() as t:
    current_loss = loss_fn(user_ids, item_ids, target)
  grads = t.gradient(current_loss, params)
  for param, grad in zip(params, grads):
    param.assign_sub(lr * tf.convert_to_tensor(grad))
  return current_loss


@tf.function
def train_epoch(order, lr):
  losses = tf.TensorArray(tf.float32, n_train // BATCH)
  for k in tf.range(n_train // BATCH):
    batch = order[k]
    batch_loss = train_one_batch(
        tf.gather(users, batch), tf.gather(items, batch), tf.gather(ratings, batch), lr)
    losses = losses.write(k, batch_loss)
  return losses.stack()


@tf.function
def rmse(user_ids, item_ids, target):
  return tf.sqrt(tf.reduce_mean((target - predict(user_ids, item_ids)) ** 2))


test = (users[n_train:], items[n_train:], ratings[n_train:])
train_losses, test_rmse = [], []
lr = LR
for epoch in range(EPOCHS):
  order = rng.permutation(n_train)
  total = float(train_epoch(order.reshape(-1, BATCH), np.float32(lr)).numpy().sum(dtype=np.float64))
  lr *= 0.95
  train_losses.append(total / (n_train // BATCH))
  test_rmse.append(rmse(*test).numpy())
  print("epoch {}: train loss {:.4f}, test RMSE {:.4f}".format(
      epoch, train_losses[-1], test_rmse[-1]))
