from program import Program

PROGRAM = Program(
    about="tesseract: text recognition of one page",
    debian="tesseract-ocr tesseract-ocr-eng imagemagick fonts-dejavu-core",
    sizes={"lines": (16, 3)},
    files={"text.py": """
import random
rng = random.Random(17)
words = "the of and water light near machine thread carries a small house under green river every".split()
for _ in range(@lines@):
    print(" ".join(rng.choices(words, k=9)))
"""},
    prepare="""
convert -density 200 -font DejaVu-Serif -pointsize 12 label:"$(@python@ text.py)" \
        -bordercolor white -border 30 -colorspace gray page.png""",
    command="tesseract page.png - --dpi 200",
    seconds=1.5,
    in_make_test=True,
    known=("libtesseract",),
    note="It requests four threads by num_threads(4), whatever OMP_NUM_THREADS says.",
)
