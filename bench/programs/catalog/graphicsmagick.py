from program import Program

PROGRAM = Program(
    about="GraphicsMagick: a picture enlarged, blurred, with its contrast stretched",
    debian="graphicsmagick",
    sizes={"side": (2500, 200)},
    files={"noise.py": """
import random
side = @side@
with open("in.pgm", "wb") as picture:
    picture.write(b"P5 %d %d 255\\n" % (side, side) + random.Random(17).randbytes(side * side))
"""},
    prepare="@python@ noise.py",
    command="gm convert in.pgm -resize 130% -blur 0x2 -normalize out.pgm",
    writes="out.pgm",
    result="sha256sum out.pgm",
    known=("libGraphicsMagick",),
)
