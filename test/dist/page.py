"""page.py FILE: some lines of text as a picture, which a program is to read."""
import sys

from PIL import Image, ImageDraw, ImageFont

TEXT = """the water light near machine thread carries
a small house under the green river every
machine and every river carries light water"""
font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 33)  # 12 points at 200 dots per inch
picture = Image.new("L", (900, 260), 255)
for row, line in enumerate(TEXT.splitlines()):
    ImageDraw.Draw(picture).text((40, 40 + 60 * row), line, fill=0, font=font)
picture.save(sys.argv[1])
