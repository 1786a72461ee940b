from program import Program

PROGRAM = Program(
    about="darktable-cli: a picture developed and exported",
    debian="darktable imagemagick",
    sizes={"side": (1200, 200)},
    prepare="convert -size @side@x@side@ -seed 17 plasma:red-blue in.png",
    command="darktable-cli in.png out.png --core --disable-opencl --configdir @work@/config"
            " --cachedir @work@/cache --library :memory:",
    writes="out.png",
    result="identify -format '%wx%h %#\\n' out.png",
    seconds=1.5,
)
