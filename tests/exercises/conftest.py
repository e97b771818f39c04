"""The scripts of the exercises run in the same Node as the tests of the page's scripts."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "web"))
