"""A small chapter of one figure, for the tests of the render tool."""

SOURCE = """---
kernelspec:
  name: python3
  display_name: Python 3
pencil:
  declared:
    year: {text: "2014", is: "a year"}
---

# A chapter

Three is {v}`3 <three>`, in {v}`2014 <page.year>`, and {v}`1 + 2
= 3 <exact three>` too.

```{code-cell}
three = 1 + 2
```

Then?

```{code-cell}
:tags: [remove-cell]

from pencil.publish import publish
publish(figures={"three": three})
```
"""


def write(folder, text, name="05_three"):
    path = folder / f"{name}.md"
    path.write_text(text, encoding="utf-8")
    return path
