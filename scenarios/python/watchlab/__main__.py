"""The command `watchlab`: becomes the program that this package brings."""

import os
import sys

from . import ProgramMissing, program


def main():
    try:
        found = program()
        os.execv(found, [os.environ.get("WATCHLAB_CALLED_AS", "watchlab"), *sys.argv[1:]])
    except (OSError, ProgramMissing) as why:
        sys.exit(f"watchlab: {why}")


if __name__ == "__main__":
    main()
