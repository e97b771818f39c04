"""The kata's scripts are run by the Node that the widgets' tests find."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "widgets"))
