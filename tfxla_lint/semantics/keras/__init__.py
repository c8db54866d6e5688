"""What Keras is asked to run: compile, fit, and the code that they call."""
