"""What runs inside the interpreter that has the user's TensorFlow.

This folder stands alone: standard library, NumPy and TensorFlow only, Python 3.8 and later.
"""
