"""A lab as a Jupyter widget. Imported only when a lab is displayed in Jupyter, since it needs anywidget."""

import anywidget
import numpy as np
import traitlets

from pencil.web import JUPYTER, LAB_STYLES


class LabWidget(anywidget.AnyWidget):
    """The widget of a lab; its traits and the lab are synchronized in both directions."""

    _esm = JUPYTER.read_text(encoding="utf-8")
    _css = "".join(style.read_text(encoding="utf-8") for style in LAB_STYLES)
    state = traitlets.Dict().tag(sync=True)
    drawn = traitlets.Unicode().tag(sync=True)
    givens = traitlets.Dict().tag(sync=True)
    variant = traitlets.Int(0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)

    def __init__(self, lab):
        self._lab, self._following = lab, True
        super().__init__(state=lab.state(), drawn=lab.drawn(), givens=lab.givens, variant=lab.variant, step=lab.step)
        self._following = False

    def follow(self):
        """Copy the state of the lab into the traits."""
        if not self._following:
            self._take()

    def _take(self):
        self._following = True
        try:
            with self.hold_trait_notifications():
                self.variant, self.step, self.givens = self._lab.variant, self._lab.step, self._lab.givens
        finally:
            self._following = False

    @traitlets.observe("givens", "variant", "step")
    def _changed(self, change):
        if self._following:
            return
        self._following = True
        try:
            if self.variant != self._lab.variant:
                self._lab.variant = self.variant
            if _shapes(self.givens) == _shapes(self._lab.givens):  # otherwise the inputs belong to the previous variant
                self._lab.givens = self.givens
            self._lab.step = min(self.step, len(self._lab.variants[self.variant].steps) - 1)
        finally:
            self._take()


def _shapes(givens):
    return {name: np.shape(numbers) for name, numbers in givens.items()}


def view(lab):  # -> dict
    """The MIME bundle of the widget, which Jupyter shows instead of the static HTML; empty without a kernel."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return {}
    made = lab.widget._repr_mimebundle_()
    data = made[0] if isinstance(made, tuple) else made or {}
    return {mime: content for mime, content in data.items() if mime.startswith("application/vnd.jupyter.widget-view")}
