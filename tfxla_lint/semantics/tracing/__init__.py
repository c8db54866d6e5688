"""What Python does once, or not at all, in code that is traced."""
