from program import Program

PROGRAM = Program(
    about="ImageMagick: a picture enlarged, blurred and sharpened",
    debian="imagemagick",
    sizes={"side": (900, 200)},
    prepare="convert -size @side@x@side@ -seed 17 plasma:red-blue -quality 1 in.png",
    command="convert in.png -resize 150% -blur 0x3 -unsharp 0x2 -quality 1 out.png",
    writes="out.png",
    result="identify -format '%wx%h %#\\n' out.png",  # a checksum of the pixels
    in_make_test=True,
)
