from program import Program

PROGRAM = Program(
    about="RawTherapee: a picture denoised and sharpened",
    debian="rawtherapee imagemagick",
    sizes={"side": (900, 200)},
    files={"steps.pp3": """
[Version]
AppVersion=5.9
Version=349
[Sharpening]
Enabled=true
Method=usm
Radius=1.0
Amount=200
[Directional Pyramid Denoising]
Enabled=true
Luma=30
Ldetail=50
Method=RGB
"""},
    prepare="convert -size @side@x@side@ -seed 17 plasma:red-blue in.tif",
    command="rawtherapee-cli -q -o out.tif -p steps.pp3 -t -Y -c in.tif",
    writes="out.tif",
    # Pixels depend a little on the number of threads, so the means of 64 parts of the picture are checked.
    result="convert out.tif -scale 8x8! -depth 16 gray:- | od -An -v -tu2 -w16 | sed 's/[0-9]\\+/&.0/g'",
    relative=1e-3,
)
