"""Gravity among a cloud of bodies, moved on by the leapfrog method in a class."""
import tensorflow as tf


class NBody:
    def __init__(self, count=48, dt=0.01, softening=0.05):
        self.position = tf.Variable(tf.random.normal([count, 3], seed=1))
        self.velocity = tf.Variable(tf.random.normal([count, 3], stddev=0.1, seed=2))
        self.mass = tf.ones([count]) / count
        self.dt = dt
        self.softening = softening

    def acceleration(self, x):
        difference = x[None, :, :] - x[:, None, :]
        distance2 = tf.reduce_sum(difference**2, axis=-1) + self.softening**2
        strength = self.mass[None, :] * tf.pow(distance2, -1.5)
        return tf.reduce_sum(strength[:, :, None] * difference, axis=1)

    @tf.function
    def step(self):
        half = self.velocity + 0.5 * self.dt * self.acceleration(self.position)
        self.position.assign_add(self.dt * half)
        self.velocity.assign(half + 0.5 * self.dt * self.acceleration(self.position))

    def energy(self):
        return 0.5 * tf.reduce_sum(self.mass[:, None] * self.velocity**2)


REPORTS = 4


def main():
    system = NBody()
    for report in range(REPORTS):
        for _ in range(50):
            system.step()
        print(report, system.energy().numpy())


if __name__ == "__main__":
    main()
