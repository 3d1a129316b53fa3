# SPDX-License-Identifier: Apache-2.0
# Files of the checkout, and files whose text is replaced for a while.
import contextlib
import os

CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def read(path):
    """The text of a file in the checkout."""
    with open(os.path.join(CHECKOUT, path), encoding="utf-8") as file:
        return file.read()


@contextlib.contextmanager
def replaced(path, text):
    """`path` contains `text` while the block runs; afterwards its former text is restored."""
    before = open(path).read() if os.path.exists(path) else None
    with open(path, "w") as file:
        file.write(text)
    try:
        yield
    finally:
        if before is None:
            os.unlink(path)
        else:
            with open(path, "w") as file:
                file.write(before)
