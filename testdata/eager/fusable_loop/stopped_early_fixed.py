# A value of the step ends each loop early: the steps of a call end with the same one, and the same lines are shown.
import tensorflow as tf

TOLERANCE = 2e-3
points = tf.linspace(-1.0, 1.0, 20)
slope = tf.Variable(0.0)
shift = tf.Variable(1.0)


@tf.function
def descend(rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope * points + shift - 3.0 * points))
    gradients = tape.gradient(loss, [slope, shift])
    slope.assign_sub(rate * gradients[0])
    shift.assign_sub(rate * gradients[1])
    return loss


rate = tf.constant(0.3)


@tf.function
def descends(count, rate):
    loss_spec = descend.get_concrete_function(rate).structured_outputs
    last_loss = tf.TensorArray(loss_spec.dtype, 1, element_shape=loss_spec.shape)
    done = 0
    for _ in tf.range(count):
        loss = descend(rate)
        last_loss = last_loss.write(0, loss)
        done += 1
        if loss < TOLERANCE:
            break
    return done, last_loss.read(0)


left = 0
for step in range(400):
    if not left:
        left, loss = descends(tf.constant(min((0 - step) % 10 + 1, 400 - step)), rate)
        left = int(left)
    left -= 1
    if step % 10 == 0:
        print(step, round(float(loss), 5), round(float(slope), 4))
    # near enough
    if not left and loss < TOLERANCE:
        print("after", step, "steps")
        break
else:
    print("not near")

slope.assign(0.0)


def settle(limit=1e-2):
    losses = []

    @tf.function
    def descends_2(count, rate):
        loss_spec = descend.get_concrete_function(rate).structured_outputs
        all_loss = tf.TensorArray(loss_spec.dtype, count, element_shape=loss_spec.shape)
        done = 0
        for turn in tf.range(count):
            loss = descend(rate)
            all_loss = all_loss.write(turn, loss)
            done += 1
            if tf.cast(loss, tf.float64) < limit:
                break
        return all_loss.gather(tf.range(done))

    ready = []
    for step in range(1, 300):
        if not ready:
            ready = tf.unstack(descends_2(tf.constant(min(100, 300 - step)), rate))
        loss = ready.pop(0)
        losses.append(float(loss))
        if float(loss) < limit:
            return step, losses
    return 300, losses


steps, losses = settle()


def until_finite():
    @tf.function
    def descends_3(count, rate):
        loss_spec = descend.get_concrete_function(rate).structured_outputs
        last_loss = tf.TensorArray(loss_spec.dtype, 1, element_shape=loss_spec.shape)
        done = 0
        for _ in tf.range(count):
            loss = descend(rate)
            last_loss = last_loss.write(0, loss)
            done += 1
            if not tf.math.is_finite(loss) or tf.cast(loss, tf.float64) > 1e6:
                break
        return done, last_loss.read(0)

    left_2 = 0
    for _ in range(40):
        if not left_2:
            left_2, loss = descends_3(tf.constant(min(100, 40 - _)), rate)
            left_2 = int(left_2)
        left_2 -= 1
        if not left_2 and (not tf.math.is_finite(loss) or loss.numpy() > 1e6):
            raise ValueError("no longer finite")
    return loss


last = until_finite()


def unless_finite(most):
    @tf.function
    def descends_4(count, rate):
        loss_spec = descend.get_concrete_function(rate).structured_outputs
        last_loss = tf.TensorArray(loss_spec.dtype, 1, element_shape=loss_spec.shape)
        done = 0
        for _ in tf.range(count):
            loss = descend(rate)
            last_loss = last_loss.write(0, loss)
            done += 1
            if not tf.math.is_finite(loss):
                break
        return done, last_loss.read(0)

    left_3 = 0
    for step in range(most):
        if not left_3:
            left_3, loss = descends_4(
                tf.constant(min(100, most - step)), tf.constant(-9.0)
            )
            left_3 = int(left_3)
        left_3 -= 1
        if not left_3 and not tf.math.is_finite(loss):
            break
    return step, loss


worst = unless_finite(60)
