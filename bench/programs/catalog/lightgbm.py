from program import Program

PROGRAM = Program(
    about="LightGBM: boosted trees",
    pypi="lightgbm==4.5.0 numpy==1.26.4 scipy==1.11.4",
    sizes={"rows": (30_000, 3_000)},
    files={"work.py": """
import lightgbm
import numpy as np

random = np.random.default_rng(17)
rows = random.normal(size=(@rows@, 20))
target = rows[:, 0] * rows[:, 1] + np.sin(3 * rows[:, 2]) + random.normal(size=@rows@) / 4
model = lightgbm.train({"objective": "regression", "verbose": -1, "seed": 17, "deterministic": True,
                        "force_row_wise": True, "num_leaves": 63}, lightgbm.Dataset(rows, target), 60)
print("%.5e" % np.mean((model.predict(rows) - target) ** 2), "%.5e" % model.predict(rows[:50]).sum())
"""},
    command="@python@ work.py",
    relative=1e-3,
    seconds=2,
)
