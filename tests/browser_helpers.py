"""Start JupyterLab and a browser for the tests that look at what a person sees."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SHOTS = Path(__file__).resolve().parents[1] / "build" / "screenshots"
TOKEN = "only-for-the-tests"  # noqa: S105  # of a server on this machine, for seconds
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def need_chromium():
    """Skip where there is no browser, except in CI, which installs one."""
    if not CHROMIUM and not os.environ.get("CI"):
        pytest.skip("no Chromium here: install the package `chromium` to run the browser tests")


@contextmanager
def browser():
    """Open a headless browser."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            yield chromium
        finally:
            chromium.close()


def with_our_programs():
    """Return the environment with the programs beside this Python on the PATH: nbgrader calls `alembic`."""
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


@contextmanager
def jupyterlab(folder, state):
    """Serve `folder` with JupyterLab; its own files go into `state`. Yields the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    inside = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "run"}
    environment = with_our_programs() | {name: str(state / part) for name, part in inside.items()}
    environment["IPYTHONDIR"] = str(state / "ipython")
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"),
        *("--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"),
        "--LabApp.expose_app_in_browser=True",  # so that a test can ask the notebook what it holds
    ]
    with (state / "lab.log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/api?token={TOKEN}", state / "lab.log")
        yield address
    finally:
        _end(server)


def _wait_for(address, log):
    for _ in range(240):
        with suppress(URLError, ConnectionError), urllib.request.urlopen(address, timeout=5):  # noqa: S310
            return
        time.sleep(0.25)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def _end(server):
    """JupyterLab can hang while it shuts down, so it gets a few seconds and then no choice."""
    server.terminate()
    try:
        server.wait(5)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def take_shot(page, name, *, whole=False):
    """Keep a screenshot under build/screenshots, of the window or of the whole page."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)


def open_in_lab(page, address, path):
    """Open a notebook in JupyterLab and wait until it and its kernel are there."""
    page.goto(f"{address}/lab/tree/{path}?token={TOKEN}&reset")
    page.wait_for_selector(".jp-Notebook .jp-MarkdownOutput h1", timeout=120_000)
    _wait_until_idle(page)
    return page


def choose(page, menu, entry):
    """Choose an entry of JupyterLab's menu."""
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{entry}$")).click()


ALL_RAN = """() => jupyterapp.shell.currentWidget.content.widgets.every(
  cell => cell.model.type != 'code' || cell.model.executionCount)"""
SCROLL_TO_CELL = """([text, part]) => {
  const book = jupyterapp.shell.currentWidget.content;
  const at = book.widgets.findIndex(cell => JSON.stringify(cell.model.toJSON()[part] || '').includes(text));
  if (at >= 0) book.scrollToItem(at);
  return at >= 0;
}"""


def run_all_cells(page):
    """Run all cells, and wait until each of them ran and the kernel is idle again."""
    choose(page, "Run", "Run All Cells")
    page.wait_for_function(ALL_RAN, timeout=180_000)
    _wait_until_idle(page)


def output_with(page, text):
    """Scroll the notebook to the output that holds `text`, and return it. JupyterLab draws only what is in view."""
    scroll_to_cell(page, text, "outputs")
    found = page.locator(".jp-OutputArea-output", has_text=text).first
    found.wait_for(timeout=60_000)
    found.scroll_into_view_if_needed()
    return found


def scroll_to_cell(page, text, part):
    """Wait for a cell that has `text` in its `source` or `outputs`, and scroll the notebook there."""
    page.wait_for_function(SCROLL_TO_CELL, arg=[text, part], timeout=60_000)


def _wait_until_idle(page):
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=180_000)


FAINT = """() => {
  // Every text of the notebook that has less contrast with its ground than WCAG asks for, and each picture without
  // a white ground of its own. The colours of code are JupyterLab's own.
  const parse = colour => { const n = colour.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const ground = e => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const light = colour => {
    const [r, g, b] = colour.map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const place of document.querySelectorAll('.jp-MarkdownOutput, .jp-OutputArea-output')) {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const shown = new Set(place.querySelectorAll('mjx-c'));
    while (texts.nextNode()) if (texts.currentNode.data.trim()) shown.add(texts.currentNode.parentElement);
    for (const e of shown) {
      if (e.closest('pre code, mjx-assistive-mml') || !e.getClientRects().length) continue;
      const under = ground(e), ink = over(parse(getComputedStyle(e).color), under);
      const [a, b] = [light(ink), light(under)].sort((x, y) => y - x);
      const size = parseFloat(getComputedStyle(e).fontSize), bold = getComputedStyle(e).fontWeight >= 700;
      const asked = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
      if ((a + 0.05) / (b + 0.05) < asked)
        found.push(`${((a + 0.05) / (b + 0.05)).toFixed(2)}: ${e.tagName} ${e.textContent.trim().slice(0, 60)}`);
    }
    for (const img of place.querySelectorAll('img'))
      if (getComputedStyle(img).backgroundColor !== 'rgb(255, 255, 255)') found.push(`no ground: ${img.alt}`);
  }
  return found;
}"""

# What is wider than its place and cannot be scrolled with the keyboard.
CUT_OFF = """() => [...document.querySelectorAll('.jp-OutputArea-output, .jp-OutputArea-output *')]
  .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != 'inline')
  .filter(e => e.tabIndex != 0)
  .map(e => `${e.tagName} ${e.scrollWidth} > ${e.clientWidth}: ${e.textContent.trim().slice(0, 60)}`)"""

# How many lines of text a page shows: pieces of text that stand beside each other are one line.
LINES = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), tops = [], range = new Range();
  while (texts.nextNode()) if (texts.currentNode.data.trim()) {
    range.selectNodeContents(texts.currentNode);
    tops.push(...[...range.getClientRects()].map(box => box.bottom));
  }
  return tops.sort((a, b) => a - b).filter((at, i) => i == 0 || at - tops[i - 1] > 6).length;
}"""
