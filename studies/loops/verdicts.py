TITLES = {"synthetic-uniform": "Syn Uni", "synthetic-long": "Syn Uni, long", "synthetic-up": "Syn Exp Inc",
          "synthetic-down": "Syn Exp Dec", "triangles": "Tri", "bfs-uniform": "BFS Uni", "bfs-power": "BFS Pow",
          "kmeans": "Kmeans", "boxes": "LavaMD", "pathfinder": "Path", "lu": "LUD"}
ENDS = {"epyc": (2, 64), "xeon": (2, 48, 96), "knl": (2, 68, 136)}
VARIED = ("group=1", "group=2", "group=8", "update=1", "update=2", "update=8")
EPSILONS = (0.25, 0.33, 0.5)
EXPERIMENTS = {"threads begin late": ("fork=20000",)}
EXPERIMENT_SCHEDULES = ["static", "libgomp-guided", "ich,paper", "nich,paper", "nich,paper,group=1", "nich,paper,update=1"]
def report(data): return [str(len(data["rows"]))]
