# Two operations on every call: a call of a traced function costs about as much as they do.
import tensorflow as tf

centre = tf.constant([0.1, -0.2])
pull = tf.constant(0.9)


class Particle:
    def __init__(self, place):
        self.place = tf.constant(place)
        self.path = []

    def move(self):
        self.place = centre + pull * self.place
        self.path.append(self.place)


particle = Particle([1.0, 2.0])
for turn in range(40):
    particle.move()
path = tf.stack(particle.path)
print(path.shape)
