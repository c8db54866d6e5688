"""Tests of the recorder, of the file that it writes, and of what the linter makes of it."""
