"""Print HTML pages to PDF with the browser that the tests use."""

import tempfile

from pencil.errors import TaskError


def print_to_pdf(pages, **options):  # {path of an HTML page: path of its PDF}
    """Print each page; options go to Playwright's `page.pdf`.

    Raises TaskError without a Chromium or Playwright.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise TaskError("A PDF needs Playwright: type `python -m pencil env test`, or print the HTML page from your browser.") from None
    from pencil.cli import browser

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, sync_playwright() as playwright:
        running = playwright.chromium.launch_persistent_context(
            profile, executable_path=browser.find(), args=browser.flags(), color_scheme="light", timeout=60_000
        )
        tab = running.new_page()
        for page, pdf in pages.items():
            tab.goto(page.resolve().as_uri())
            tab.pdf(path=pdf, prefer_css_page_size=True, **options)
        running.close()
