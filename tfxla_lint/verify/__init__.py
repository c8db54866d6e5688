"""Runs rewritten code against the original on TensorFlow, in child processes."""
