"""tiers.py: finds from a test program's undefined symbols which tier of symbols.txt it needs."""
import subprocess
import sys
from pathlib import Path

ABI = Path(__file__).resolve().parents[2] / "src/abi"
sys.path.insert(0, str(ABI))
from symbols import read_symbols  # noqa: E402

MANIFEST = ABI / "symbols.txt"
ORDER = ("a", "b", "c", "none")


def needed_symbols(program: Path) -> list[str]:
    listing = subprocess.run(["nm", "-D", "--undefined-only", program], check=True,
                             capture_output=True, text=True).stdout
    names = {line.split()[-1].split("@")[0] for line in listing.splitlines()}
    return sorted(names & tier_of_symbol().keys())


def tier_of_symbol(known: dict[str, str] = {}) -> dict[str, str]:  # noqa: B006 (a cache)
    if not known:
        known.update((symbol.name, symbol.tier) for symbol in read_symbols(MANIFEST))
    return known


def within(symbols: list[str], last: str | None) -> bool:
    """Whether no symbol is of a later tier than `last`; true if `last` is None."""
    return last is None or ORDER.index(tier(symbols)) <= ORDER.index(last)


def tier(symbols: list[str]) -> str:
    """The last tier that any of the symbols is in; `a` for a program that needs no symbol."""
    return max((tier_of_symbol()[name] for name in symbols), key=ORDER.index, default="a")
