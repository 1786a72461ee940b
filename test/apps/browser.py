"""A headless Chromium, driven through a pipe: pages, keys, screenshots.

Debian's package `chromium` has it (scripts/need browser). The protocol is Chromium's own, DevTools', so nothing else is needed.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

LIMIT = 60  # s for an answer


def is_there():
    return shutil.which("chromium") is not None


class Browser:
    """Of one page at a time. `said`: what the page has complained of; `asked`: which files it wanted."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        to_us, theirs_out = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())
        theirs_in, from_us = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())

        def give():  # Chromium reads commands from 3 and writes answers to 4
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        command = ["chromium", "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
                   "--no-first-run", "--disable-background-networking", f"--user-data-dir={self._folder.name}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self._process = subprocess.Popen(command, preexec_fn=give, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out, self._rest = from_us, to_us, b""
        self._last, self._session, self._loaded = 0, None, False
        self.said, self.asked = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Performance.enable", timeDomain="threadTicks")

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(LIMIT)
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._in)
            os.close(self._out)
            for _ in range(50):  # its other processes write until they notice
                try:
                    self._folder.cleanup()
                    break
                except OSError:
                    time.sleep(0.1)

    def _message(self, until):
        while b"\0" not in self._rest:
            if not select.select([self._out], [], [], max(until - time.monotonic(), 0))[0]:
                raise TimeoutError("Chromium does not answer")
            data = os.read(self._out, 1 << 20)
            if not data:
                raise EOFError("Chromium has ended")
            self._rest += data
        text, self._rest = self._rest.split(b"\0", 1)
        return json.loads(text)

    def _see(self, message):
        method, its = message.get("method"), message.get("params")
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.said.append(its["exceptionDetails"].get("exception", its["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and its["type"] in ("error", "warning", "assert"):
            self.said.append(its["args"])
        elif method == "Log.entryAdded" and its["entry"]["level"] in ("error", "warning"):
            self.said.append(its["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(its["request"]["url"])

    def call(self, method, **parameters):
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._in, data):]
        until = time.monotonic() + LIMIT
        while True:
            answer = self._message(until)
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._see(answer)

    def open(self, file, width=1200, height=900, dark=False, script=True):
        self.said, self.asked, self._loaded = [], [], False
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url=file.resolve().as_uri())
        until = time.monotonic() + LIMIT
        while not self._loaded:
            self._see(self._message(until))
        # The page's scripts have not run and will not; those of this class may.
        self.call("Emulation.setScriptExecutionDisabled", value=False)
        self.settle()

    def settle(self):
        """Until the page has drawn what it was told to."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def run(self, expression):
        """The value of an expression of JavaScript in the page; a promise's too."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def key(self, key, shift=False):
        named = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, " ": 32}
        code = named.get(key, ord(key[0].upper()))
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=8 * shift,
                      **(text if kind == "keyDown" else {}))
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def place(self, selector):
        """(x, y, width, height) on the page, not the screen."""
        return self.run(f"""(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();
            return [r.x + scrollX, r.y + scrollY, r.width, r.height]; }})()""")

    def picture(self, place=None):
        """A PNG of the page, or of a place of it."""
        x, y, width, height = place or self.place("html")
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip,
                                          captureBeyondViewport=True)["data"])

    def seconds_of_work(self):
        """CPU time of the page's main thread."""
        return {one["name"]: one["value"] for one in self.call("Performance.getMetrics")["metrics"]}["TaskDuration"]


def pixels(png):
    """Rows of (red, green, blue)."""
    at, data, header = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            data += body
        at += length + 12
    width, height, depth, colour, *_ = header
    assert depth == 8 and colour in (2, 6), header
    step = 3 if colour == 2 else 4
    data, size, above, rows = zlib.decompress(data), width * step, bytearray(width * step), []
    for y in range(height):
        filtered, line = data[y * (size + 1)], bytearray(data[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for i in range(size):
            left = line[i - step] if i >= step else 0
            up, corner = above[i], above[i - step] if i >= step else 0
            if filtered == 1:
                line[i] = (line[i] + left) & 255
            elif filtered == 2:
                line[i] = (line[i] + up) & 255
            elif filtered == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif filtered == 4:
                guess = left + up - corner
                line[i] = (line[i] + min((left, up, corner), key=lambda one: abs(guess - one))) & 255
        above = line
        rows.append([tuple(line[i:i + 3]) for i in range(0, size, step)])
    return rows
