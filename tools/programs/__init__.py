"""Runs programs on TensorFlow as they stand and as they are fixed, for the tests and for measuring."""
