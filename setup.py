"""Maps the folder `rules/` to the package `tfxla_lint.rules` and finds every family in it."""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["tfxla_lint*"]),
        "tfxla_lint.rules",
        *("tfxla_lint.rules." + name for name in find_packages("rules")),
    ],
    package_dir={"tfxla_lint.rules": "rules"},
    package_data={"tfxla_lint": ["py.typed", "*.pyi", "knowledge/*.json"]},
)
