"""Other processes that run code on TensorFlow: how they start, what they may take, how they end."""
