"""XGBoost: boosted trees."""

PINS = ("xgboost-cpu==2.1.3",)
# Each thread sums a histogram of its rows, so the number of threads changes the last digits of the sums,
# in double precision. The trees, and so the counts, stay as they are; the leaves are single precision.
RELATIVE = 1e-5


def work():
    import numpy as np
    import xgboost

    random = np.random.default_rng(17)
    rows = random.normal(size=(4000, 20))
    target = rows[:, 0] * rows[:, 1] + np.sin(3 * rows[:, 2]) + random.normal(size=4000) / 4
    data = xgboost.DMatrix(rows, target)
    model = xgboost.train({"tree_method": "hist", "max_depth": 5, "seed": 17}, data, 25)
    splits = sorted(model.get_score(importance_type="weight").items())
    return ["splits " + " ".join(f"{name} {count:.0f}" for name, count in splits),
            f"error {np.mean((model.predict(data) - target) ** 2):.8e}"]
