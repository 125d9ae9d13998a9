"""The table of numbers on a phone: all three columns are seen, and what is too long scrolls inside the table alone."""

import pytest
from browser_helpers import CUT_OFF, take_shot

from course.checking import check
from course.show_html import to_html

pytestmark = pytest.mark.browser
AS_IN_JUPYTERLAB = "<!doctype html><style>body { font: 14px sans-serif; margin: 0 } table { font-size: 12px }</style>"
WIDTHS = {"the width of a phone": 360, "what JupyterLab leaves of it": 224}
ANSWERS = {
    "one number": -21.87654,
    "a list": [-10.12345, 12.5, 0.33333, -0.00012],
    "a column": [[-10.12345], [12.5], [0.33333]],
    "a table": [[-10.12345, 12.5], [0.33333, -8.98765], [1, 0]],
    "a wide table": [[-10.12345, 12.5, 0.33333, -8.98765, 1.5, 2.25]] * 3,
}
COLUMNS = """() => [...document.querySelectorAll('td, th')].map(e => e.getBoundingClientRect().right)"""
SIZE = "parseFloat(getComputedStyle(document.querySelector('td')).fontSize)"


def open_page(chromium, answer, width):
    """Open the report on a wrong answer in a window of this width."""

    def wrong(value):
        return [wrong(each) for each in value] if isinstance(value, list) else -1.2345 * value - 0.5

    report = check(wrong, [{"x": answer, "returns": answer}]).report
    page = chromium.new_page(viewport={"width": width, "height": 1200})
    page.set_content(f"{AS_IN_JUPYTERLAB}<div class='jp-OutputArea-output'>{to_html(report)}</div>")
    return page


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_expected_got_and_difference_are_all_seen(chromium, answer, width):
    """No column leaves the window, nothing is to be scrolled, and the numbers are large enough to read."""
    page = open_page(chromium, ANSWERS[answer], width)
    take_shot(page, f"phone-{answer.replace(' ', '-')}-{width}")

    assert max(page.evaluate(COLUMNS)) <= width
    assert page.locator("[tabindex]").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(SIZE) >= 9
    page.close()


def test_very_long_numbers_scroll_inside_their_table(chromium):
    """What no phone can show in one line is scrolled with the keyboard; the page itself stays where it is."""
    page = open_page(chromium, [-123456.78901, 1e-7, 1.5e10], 224)

    assert page.locator("[tabindex='0']").evaluate("e => e.scrollWidth > e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 224
    assert page.evaluate(CUT_OFF) == []
    page.close()
