"""The scripts of the exercises are run by the Node that the tests of the page's scripts find."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "web"))
