"""The rules, one file or folder each, one folder per family; the build maps this folder to `tfxla_lint.rules`."""
