# What each step gives is kept by Python, which needs it, but not before the next step: it gets it later.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
STEPS = 50


class Sampler:
    def __init__(self, size):
        self.position = tf.Variable(tf.zeros([size]))
        self.spread = tf.Variable(1.0)

    @tf.function
    def step(self, noise_scale):
        push = tf.sin(3.0 * self.position) - 0.2 * self.position
        self.position.assign_add(noise_scale * push)
        self.spread.assign(tf.math.reduce_std(self.position) + 0.5)
        return tf.reduce_mean(tf.square(self.position - 0.7))

    @tf.function
    def steps(self, count, noise_scale):
        energy_spec = self.step.get_concrete_function(noise_scale).structured_outputs
        all_energy = tf.TensorArray(energy_spec.dtype, count, element_shape=energy_spec.shape)
        for turn in tf.range(count):
            energy = self.step(noise_scale)
            all_energy = all_energy.write(turn, energy)
        return all_energy.stack()

    def run(self, noise_scale):
        energies = []
        smooth = None
        ready = []
        for i in range(STEPS):
            if not ready:
                ready = tf.unstack(self.steps(tf.constant(min(20, STEPS - i)), noise_scale))
            energy = ready.pop(0)
            energies.append(float(energy))
            # the mean follows slowly
            smooth = energies[-1] if smooth is None else 0.9 * smooth + 0.1 * energies[-1]
            if (i + 1) % 20 == 0:
                print("step %d: %.4f, spread %.3f" % (i + 1, smooth, self.spread.numpy()))
        return energies, smooth


sampler = Sampler(16)
energies, smooth = sampler.run(tf.constant(0.05))
