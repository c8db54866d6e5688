"""What git knows of the files that are linted: an older state, and which lines changed since."""
