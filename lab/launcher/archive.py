"""An archive of files as the kernel takes it for its initial file system: cpio's "newc" format.

Times, owners and inode numbers are fixed, so that the same files make the same archive.
"""

import stat


class Archive:
    def __init__(self):
        self._entries = {}          # path below the root, without a slash in front: (mode, data)

    def folder(self, path, mode=0o755):
        self._put(path, stat.S_IFDIR | mode, b"")

    def file(self, path, data, mode=0o644):
        self._put(path, stat.S_IFREG | mode, data)

    def link(self, path, target):
        self._put(path, stat.S_IFLNK | 0o777, target.encode(errors="surrogateescape"))

    def __contains__(self, path):
        return str(path).strip("/") in self._entries

    def _put(self, path, mode, data):
        path = str(path).strip("/")
        if path:
            self._entries.setdefault(path, (mode, data))

    def write(self, out):
        """Writes the archive to a binary file; a folder sorts before its contents."""
        for number, (path, (mode, data)) in enumerate(sorted(self._entries.items()), 1):
            _entry(out, number, path, mode, data)
        _entry(out, 0, "TRAILER!!!", 0, b"")


def _entry(out, number, path, mode, data):
    name = path.encode(errors="surrogateescape") + b"\0"
    links = 2 if stat.S_ISDIR(mode) else 1
    fields = (number, mode, 0, 0, links, 0, len(data), 0, 0, 0, 0, len(name), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    out.write(header + b"\0" * (-len(header) % 4))
    out.write(data)
    out.write(b"\0" * (-len(data) % 4))
