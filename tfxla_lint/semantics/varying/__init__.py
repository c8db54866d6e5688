"""What changes from turn to turn of a loop: Python numbers, and the sizes of tensors."""
