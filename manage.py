#!/usr/bin/env python
"""Runs a management command. Written so that an old Python can read it far enough to say that it is too old."""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 (this is where an older Python finds out)
    sys.exit("CAESAR needs Python 3.11 or newer. This is Python " + sys.version.split()[0] + ".")

INTERRUPTED = 130

try:
    from django.core.management import execute_from_command_line

    from caesar.conf import ConfigurationError
except ModuleNotFoundError as error:
    sys.exit("The module " + str(error.name) + " is missing. Run `make run`, or activate .venv, then try again.")
except KeyboardInterrupt:
    sys.exit(INTERRUPTED)

if __name__ == "__main__":
    os.umask(0o077)  # databases, logs and keys are nobody else's
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "caesar.settings")
    try:
        execute_from_command_line(sys.argv)
    except ConfigurationError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
