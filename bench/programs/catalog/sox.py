from program import Program

PROGRAM = Program(
    about="sox: six channels with reverb and a shifted pitch, a thread for each",
    debian="sox",
    sizes={"seconds": (25, 2)},
    command="sox -D --multi-threaded -n -r 44100 -c 6 out.wav synth @seconds@ sine 300-3000 sine 220"
            " sawtooth 110 square 50 triangle 400 pluck A2 gain -12 reverb 60 pitch 100",
    writes="out.wav",
    result="sha256sum out.wav",
    known=("libsox",),
)
