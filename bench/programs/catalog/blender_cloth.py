from program import Program

PROGRAM = Program(
    about="Blender: a cloth that falls on a ball",
    debian="blender",
    sizes={"frames": (9, 4), "points": (30, 20)},
    files={"cloth.py": """
import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.6, segments=24, ring_count=12)
bpy.context.object.modifiers.new("collision", "COLLISION")
bpy.ops.mesh.primitive_grid_add(x_subdivisions=@points@, y_subdivisions=@points@, size=3, location=(0.1, 0.05, 1))
sheet = bpy.context.object
sheet.modifiers.new("cloth", "CLOTH")
for frame in range(1, @frames@):
    bpy.context.scene.frame_set(frame)
shape = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
heights = [10 + corner.co.z for corner in shape.vertices]
print("cloth", len(heights), "%.4f %.4f %.4f" % (sum(heights) / len(heights), min(heights), max(heights)))
"""},
    command="blender -b --factory-startup -noaudio -P cloth.py",
    keep="^cloth",
    relative=1e-3,
    seconds=3,
    note="Its physics uses oneTBB; its fluids and some libraries use OpenMP.",
)
