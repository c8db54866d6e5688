"""Runs the user's program and records what its functions are called with."""
