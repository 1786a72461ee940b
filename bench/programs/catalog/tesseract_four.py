import dataclasses

import tesseract

PROGRAM = dataclasses.replace(
    tesseract.PROGRAM,
    about="tesseract: four pages at once, a process for each",
    sizes={"lines": (5, 2)},
    command="sh -c 'for i in 1 2 3 4; do tesseract page.png page-$i --dpi 200 & done; wait'",
    writes="page-*.txt",
    result="cat page-*.txt",
    in_make_test=False,
    known=(),
)
