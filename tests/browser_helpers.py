"""Start JupyterLab and a browser for the tests that look at what a person sees."""

import os
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
