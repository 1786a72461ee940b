from program import Program

PROGRAM = Program(
    about="XGBoost: boosted trees",
    debian="python3-xgboost python3-numpy python3-scipy libopenblas0-openmp",
    sizes={"rows": (30_000, 3_000)},
    files={"work.py": """
import numpy as np
import xgboost

random = np.random.default_rng(17)
rows = random.normal(size=(@rows@, 20))
target = rows[:, 0] * rows[:, 1] + np.sin(3 * rows[:, 2]) + random.normal(size=@rows@) / 4
data = xgboost.DMatrix(rows, target)
model = xgboost.train({"tree_method": "hist", "max_depth": 6, "seed": 17}, data, 40)
print("%.5e" % np.mean((model.predict(data) - target) ** 2), "%.5e" % model.predict(data)[:50].sum())
"""},
    command="/usr/bin/python3 work.py",
    relative=1e-3,
    seconds=2,
)
