"""What makes traced functions trace again: arguments that vary, objects that are new."""
