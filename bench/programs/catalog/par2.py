from program import Program

PROGRAM = Program(
    about="par2: recovery data for a file",
    debian="par2",
    sizes={"bytes": (24_000_000, 1_000_000)},
    files={"data.py": "import random\nopen('data', 'wb').write(random.Random(17).randbytes(@bytes@))\n"},
    prepare="@python@ data.py",
    command="sh -c 'rm -f *.par2; par2 create -q -q -r5 data.par2 data'",
    writes="*.par2",
    result="sha256sum *.par2; par2 verify -q -q data.par2",
    in_make_test=True,
    known=("par2",),
)
