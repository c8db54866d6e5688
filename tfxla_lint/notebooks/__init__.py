"""Notebooks as source files: their code cells, joined in order, are one module."""
