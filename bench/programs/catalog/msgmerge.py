import random

from program import Program


def make(folder, size):
    """Writes two versions of a program's messages: most differ by a word, so each must be searched for."""
    rng = random.Random(17)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(500)]
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    with open(folder / "old.po", "w", encoding="utf-8") as old, \
         open(folder / "new.pot", "w", encoding="utf-8") as new:
        old.write(head)
        new.write(head)
        for number in range(size["messages"]):
            message = rng.choices(words, k=rng.randint(4, 12))
            old.write(f'msgid "{" ".join(message)}"\nmsgstr "translation {number}"\n\n')
            message[rng.randrange(len(message))] = rng.choice(words)
            new.write(f'msgid "{" ".join(message)}"\nmsgstr ""\n\n')


PROGRAM = Program(
    about="msgmerge: translations carried over to changed messages",
    debian="gettext",
    sizes={"messages": (5000, 200)},
    make=make,
    command="msgmerge --quiet --no-location old.po new.pot",
)
