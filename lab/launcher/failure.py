"""The one way in which the lab itself fails, as opposed to the command that it runs."""


class LabError(Exception):
    """A message of one line, and details that help, such as the console's last lines."""

    def __init__(self, message, details=()):
        super().__init__(message)
        self.details = list(details)
