"""Gradient tapes: what is asked of them, and how often."""
