"""What `python -m pencil chapter` writes, which any Python can run."""

from pathlib import Path

SKELETON = Path(__file__).with_name("skeleton.md")
PATH, CONTENTS, TEACHING = "book/path.yml", "_toc.yml", "book/teaching.md"  # where a chapter is entered
DOES = "Say here what the reader does in it."  # of a new one, in path.yml
