import random

from program import Program


def make(folder, size):
    rng = random.Random(17)
    numbers = ", ".join("%.6f" % rng.random() for _ in range(size["values"]))
    text = f"netcdf in {{ dimensions: x = {size['values']}; variables: double v(x); data: v = {numbers}; }}"
    (folder / "in.cdl").write_text(text + "\n", encoding="utf-8")


PROGRAM = Program(
    about="NCO's ncap2: arithmetic on a small file, ten processes",
    debian="nco netcdf-bin",
    sizes={"values": (1000, 100)},
    files={"ten.sh": '''
for i in 0 1 2 3 4 5 6 7 8 9; do
  ncap2 -O -h -s "w=v*$i+1;s=w.total()" in.nc "out-$i.nc" || exit 1
done
'''},
    make=make,
    prepare="ncgen -o in.nc in.cdl",
    command="sh ten.sh",
    writes="out-*.nc",
    result="for i in 0 1 2 3 4 5 6 7 8 9; do ncks -H -C -v s out-$i.nc; done",
    relative=1e-9,
    note="Most of the time is the start of ten processes, as in imagemagick_twenty.",
)
