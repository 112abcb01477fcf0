"""The remark below figures that other programs had a part in."""

SHARE = 0.05
"""More CPU time than this in other hands is remarked on."""


def noise(figures):
    """The remark, if any of the `figures` has an `others_share` that asks for it; else nothing."""
    most = max(figure.others_share for figure in figures)
    if most <= SHARE:
        return ""
    return f"\n\nNot a quiet machine: other programs took {most:.0%} of its CPU time."
