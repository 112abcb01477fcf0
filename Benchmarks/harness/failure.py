"""The two ways in which a benchmark ends without figures."""


class Failure(Exception):
    """A run went wrong: there are no figures that mean anything. Exit code 1."""


class MissingTool(Exception):
    """The machine lacks something that must be installed. Exit code 3."""
