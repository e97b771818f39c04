"""One grid at work: each of its rows times the stick, and a bias where there is one."""

from pencil.reference.checks import check_fit, check_numbers


def linear(x, grid, bias=None):  # (..., d_in) (d_out, d_in) (d_out,) -> (..., d_out)
    """Each row of the grid times the stick, plus its bias: x @ grid.T + bias (torch.nn.Linear).

    Raises ValueError for a grid that does not read the stick's width, and for another count of biases than of rows.
    """
    check_fit("the stick", x.shape[-1], "the grid", grid)
    if bias is None:
        return x @ grid.T
    check_numbers(bias=bias)
    if bias.shape != grid.shape[:1]:
        raise ValueError(f"a grid of {grid.shape[0]} rows and a bias of shape {bias.shape}; give one number a row")
    return x @ grid.T + bias
