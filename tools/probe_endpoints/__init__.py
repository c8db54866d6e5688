"""Checks the verdicts in the tables against calls that were written by hand; see docs/knowledge.md.

It shares nothing with `tools.harvest`: neither code nor calls nor arguments.
"""
