"""What XLA refuses, compiles again or computes otherwise, in the code that it compiles."""
