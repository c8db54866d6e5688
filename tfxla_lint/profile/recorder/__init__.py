"""The recorder: a program of its own that runs in the user's interpreter.

It is started as `python FOLDER/__main__.py`, needs Python 3.8 and none of this tool's dependencies,
and imports nothing of the tool but `tfxla_lint.recording`.
"""
