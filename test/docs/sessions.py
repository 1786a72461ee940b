"""The sessions that a page shows, run: each command must print what is below it on the page.

A page's programs are the blocks below a line that ends in `NAME`:, where NAME is a file; its commands are the lines that begin
with `$ ` in blocks of `console`. All commands of a page run in one shell, so that a variable that one sets is there for the
next. What is shown may leave out text: `...` stands for any. Below the comment `<!-- figures vary -->` a number stands for
any number, a unit of time for any unit of time, and white space for any white space; below
`<!-- figures vary, and all from "TEXT" on -->` what follows TEXT is not compared either.
"""

import re
import subprocess

BLOCK = re.compile(r'^(?:[^\n]*`([\w.-]+)`:\n\n)?(<!-- figures vary(?:, and all from "([^"]+)" on)? -->\n)?'
                   r"```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = r"(?:\d[\d.,]*|-)"
UNIT = r"(?:ns|us|ms|s)"
MARK = "--8<-- the end of a command:"


class Command:
    def __init__(self, text, shown, varies, until):
        self.text, self.shown, self.varies, self.until = text, shown, varies, until

    def is_shown(self, printed):
        shown = self.shown.strip()
        if self.until and self.until in shown:
            shown = shown.partition(self.until)[0] + "..."
        return re.fullmatch(self._pattern(shown), printed.strip(), re.DOTALL) is not None

    def _pattern(self, text):
        parts = text.split("...")
        if not self.varies:
            return ".*".join(map(re.escape, parts))
        return r".*".join(self._of_words(part.strip()) for part in parts)

    @staticmethod
    def _of_words(text):
        pattern = re.escape(text)
        pattern = re.sub(r"\d(?:[\d,]|\\\.(?=\d))*", lambda _: NUMBER, pattern)
        pattern = re.sub(r"(?<=" + re.escape(NUMBER) + r"\\ )(?:ns|us|ms|s)\b", lambda _: UNIT, pattern)
        return re.sub(r"(?:\\ |\\\n)+", lambda _: r"\\s+".replace("\\\\", "\\"), pattern)


def read(text):
    """The page's programs as {name: text}, and its commands in order."""
    programs, commands = {}, []
    for name, varies, until, language, block in BLOCK.findall(text):
        if name:
            programs[name] = block
        elif language == "console":
            if until and until not in block:
                raise ValueError(f"a block without {until!r}:\n{block}")
            command, shown = None, []
            for line in block.splitlines():
                if command is not None and command.endswith("\\") and not shown:
                    command += "\n" + line
                elif line.startswith("$ "):
                    if command is not None:
                        commands.append(Command(command, "\n".join(shown), bool(varies), until))
                    command, shown = line[2:], []
                else:
                    shown.append(line)
            if command is None:
                raise ValueError(f"a block of console without a command:\n{block}")
            commands.append(Command(command, "\n".join(shown), bool(varies), until))
    return programs, commands


def is_good(command, status, printed):
    """Whether the status says nothing against the command: doctor's says that it has found something, and selftest's also
    that a busy machine left it no time for some of its runs."""
    return (status == 0 or status == 7 and command.startswith("vicino doctor")
            or status == 3 and command.startswith("vicino selftest") and "left out, the others are good" in printed)


def run(text, folder, environment, seconds):
    """Writes the page's programs into the folder and runs its commands there. The number of commands; AssertionError."""
    programs, commands = read(text)
    for name, program in programs.items():
        (folder / name).write_text(program, encoding="utf-8")
    script = "".join(f"{{ {one.text}\n}} </dev/null 2>&1\nprintf '\\n%s %d\\n' '{MARK}' $?\n" for one in commands)
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True, errors="replace", check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
    parts = re.split(r"\n" + re.escape(MARK) + r" (\d+)\n", done.stdout)
    ended = list(zip(parts[::2], parts[1::2]))
    for command, (printed, status) in zip(commands, ended):
        assert is_good(command.text, int(status), printed), f"$ {command.text}\nended with status {status}:\n{printed}"
        assert command.is_shown(printed), f"$ {command.text}\nshown:\n{command.shown}\nprinted:\n{printed}"
    assert len(ended) == len(commands), f"after {len(ended)} of {len(commands)} commands the shell ended:\n{done.stdout}"
    return len(commands)
