"""What `python -m pencil chapter` writes, which any Python can run."""

from pathlib import Path

SKELETON = Path(__file__).with_name("skeleton.md")
PATH, CONTENTS, TEACHING, WORKS = "book/path.yml", "_toc.yml", "book/teaching.md", "book/references.bib"  # where a chapter is entered
DOES = "Say here what the reader does in it."  # of a new one, in path.yml
