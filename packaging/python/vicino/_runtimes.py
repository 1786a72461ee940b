"""The OpenMP runtimes in this process, and which library calls which.

How     A library calls another one through slots that the loader fills with addresses. A slot of an entry point of
        OpenMP that holds an address inside of a runtime's file shows which runtime the library calls. A slot that
        leads into the library itself has not been used yet: the loader looks the function up at the first call.
Safety  What is mapped is read from /proc/self/maps, and memory through /proc/self/mem, which refuses an address that is
        not there, as after another thread has unloaded a library. The loader's own list would have to be read under its
        lock, and another thread can hold Python's lock and wait for the loader's.
Not     complete: functions that a library looked up by dlsym(), and runtimes that are linked into it, have no such slots.
"""
import collections
import ctypes
import os
import re
import struct

RUNTIME = re.compile(r"lib(gomp|iomp5|omp5|omp)[.-]")
NO_RUNTIME = "libgomp-plugin"
VICINO = "libvicino.so"
ENTRY = re.compile(rb"omp_|GOMP_|__kmpc_")
NAMES = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so")

LOAD, DYNAMIC = 1, 2
NEEDED, PLTRELSZ, STRTAB, SYMTAB, RELA, RELASZ, STRSZ, JMPREL, RELACOUNT = 1, 2, 5, 6, 7, 8, 10, 23, 0x6FFFFFF9
ADDRESS_SLOTS = {7, 6, 1, 1026, 1025, 257}  # JUMP_SLOT, GLOB_DAT, 64 of x86-64 and of aarch64
RELOCATION, SYMBOL = 24, 24


def looks_like_runtime(file):
    name = os.path.basename(file)
    return bool(RUNTIME.match(name)) and not name.startswith(NO_RUNTIME) or name.startswith(VICINO)


def _maps():
    """path -> [(begin, end, offset in the file)]; empty if the system does not tell."""
    found = collections.OrderedDict()
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                words = line.rstrip("\n").split(None, 5)
                if len(words) == 6 and words[5].startswith("/"):
                    begin, end = (int(number, 16) for number in words[0].split("-"))
                    found.setdefault(words[5], []).append((begin, end, int(words[2], 16)))
    except OSError:
        pass
    return found


def handle_of(name):
    """A library that is loaded; None if it is not, or belongs to another namespace of the loader."""
    try:
        return ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None


def version_of(handle):
    """Vicino's version; "" if the library is another runtime."""
    if not hasattr(handle, "vicino_version"):
        return ""
    handle.vicino_version.restype = ctypes.c_char_p
    return handle.vicino_version().decode()


def vicino_for_all():
    """The version of a Vicino whose functions libraries find that are loaded from now on; "" if there is none."""
    return version_of(ctypes.CDLL(None))


class Runtime:
    """A file of an OpenMP runtime that is loaded."""

    def __init__(self, path, parts):
        self.path = path
        self._parts = parts
        self._handle = handle_of(path)
        self.version = version_of(self._handle) if self._handle is not None else ""

    def __contains__(self, address):
        return any(begin <= address < end for begin, end, _ in self._parts)

    def is_itself(self):
        """Whether the file has the functions; another name of it (alias.py) only leads to them."""
        return not self._parts or ctypes.cast(self._handle.vicino_version, ctypes.c_void_p).value in self

    def threads(self):
        """How many a region gets that is begun now; asks the same function as threadpoolctl does."""
        return getattr(self._handle, "omp_get_max_threads", lambda: None)()


def loaded():
    """The runtimes in this process. Where /proc tells nothing, those that have their usual name."""
    maps = _maps()
    if maps:
        return [Runtime(path, parts) for path, parts in maps.items() if looks_like_runtime(path)]
    return [Runtime(name, []) for name in NAMES if handle_of(name) is not None]


class _Image:
    """A loaded library's memory."""

    def __init__(self, memory, begin):
        self._memory = memory
        header = self.read(begin, 64)
        if header[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a library")
        at, count = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<H", header, 56)[0]
        segments = [struct.unpack_from("<IIQQQQQQ", self.read(begin + at, 56 * count), 56 * number)
                    for number in range(count)]
        self.base = begin - next(segment[3] & ~0xFFF for segment in segments if segment[0] == LOAD)
        self._end = self.base + max(segment[3] + segment[6] for segment in segments if segment[0] == LOAD)
        self.dynamic = []
        for segment in segments:
            if segment[0] == DYNAMIC:
                self.dynamic = list(struct.iter_unpack("<QQ", self.read(self.base + segment[3], segment[6] & ~15)))
        self._values = dict(self.dynamic)

    def read(self, address, count):
        data = os.pread(self._memory, count, address)
        if len(data) != count:
            raise ValueError("not mapped")
        return data

    def value(self, tag):
        return self._values.get(tag, 0)

    def address(self, tag):
        """On most systems the loader has relocated what the dynamic section holds."""
        value = self.value(tag)
        return value if self.base <= value < self._end else self.base + value

    def strings(self):
        return self.read(self.address(STRTAB), self.value(STRSZ))

    def needs_runtime(self, strings):
        return any(tag == NEEDED and looks_like_runtime(_text(strings, value).decode(errors="replace"))
                   for tag, value in self.dynamic)

    def slots(self, strings):
        """The addresses in the slots of OpenMP's entry points."""
        wanted = {match.start() for match in ENTRY.finditer(strings)}
        skipped = self.value(RELACOUNT) * RELOCATION
        for begin, size in ((self.address(JMPREL), self.value(PLTRELSZ)),
                            (self.address(RELA) + skipped, self.value(RELASZ) - skipped)):
            if not wanted or size < RELOCATION:
                continue
            words = memoryview(self.read(begin, size - size % RELOCATION)).cast("Q")
            last = max(word >> 32 for word in words[1::3])
            names = memoryview(self.read(self.address(SYMTAB), (last + 1) * SYMBOL)).cast("I")[::SYMBOL // 4]
            for offset, kind in zip(words[::3], words[1::3]):
                if names[kind >> 32] in wanted and kind & 0xFFFFFFFF in ADDRESS_SLOTS:
                    yield struct.unpack("<Q", self.read(self.base + offset, 8))[0]


def _text(strings, begin):
    return strings[begin:strings.index(b"\0", begin)]


def _goes_to(memory, begin, runtimes):
    """The runtimes that the library that is mapped here calls; None if it can call none."""
    image = _Image(memory, begin)
    strings = image.strings() if image.dynamic else b""
    addresses = list(image.slots(strings)) if image.needs_runtime(strings) else []
    return {runtime.path for runtime in runtimes for address in addresses if address in runtime} if addresses else None


def callers(runtimes):
    """{library: paths of the runtimes that it calls} for all libraries that can call one; no paths if it has not yet."""
    found = collections.OrderedDict()
    ours = {runtime.path for runtime in runtimes}
    try:
        memory = os.open("/proc/self/mem", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return found
    try:
        for path, parts in _maps().items():
            if path in ours or parts[0][2] != 0:
                continue
            try:
                called = _goes_to(memory, parts[0][0], runtimes)
            except (OSError, ValueError, OverflowError, struct.error, StopIteration):
                continue  # a file of another kind, or unloaded meanwhile
            if called is not None:
                found[path] = called
    finally:
        os.close(memory)
    return found
