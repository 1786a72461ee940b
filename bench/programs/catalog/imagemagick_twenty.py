from program import Program

PROGRAM = Program(
    about="ImageMagick: twenty thumbnails, a process for each",
    debian="imagemagick",
    sizes={"count": (20, 3)},
    prepare="for i in $(seq @count@); do convert -size 120x80 -seed $i plasma:green-white in-$i.png; done",
    command="sh -c 'for i in $(seq @count@); do convert in-$i.png -resize 50% out-$i.png || exit 1; done'",
    writes="out-*.png",
    result="identify -format '%f %wx%h %#\\n' out-*.png",
    note="Most of the time is the start of processes, as for a web server's thumbnails. Vicino adds about 0.3 ms to a"
         " start: the loader searches one more folder, and maps and relocates a larger library.",
)
