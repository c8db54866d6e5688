"""The names and arguments of TensorFlow that a module uses, and the versions that have them."""
