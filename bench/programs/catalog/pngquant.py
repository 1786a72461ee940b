from program import Program

PROGRAM = Program(
    about="pngquant: a picture reduced to 256 colours",
    debian="pngquant imagemagick",
    sizes={"side": (900, 200)},
    prepare="convert -size @side@x@side@ -seed 17 plasma:red-blue in.png",
    command="pngquant --speed 2 --force -o out.png in.png",
    writes="out.png",
    result="identify -format '%wx%h %k %#\\n' out.png",
    known=("libimagequant",),
)
