"""LightGBM: boosted trees."""

PINS = ("lightgbm==4.5.0",)
# With `deterministic` LightGBM promises the same model for every number of threads: its text is compared.
RELATIVE = 0.0
KNOWN = ("lib_lightgbm",)


def work(trees=40):
    import hashlib

    import lightgbm
    import numpy as np

    random = np.random.default_rng(17)
    rows = random.normal(size=(4000, 20))
    target = rows[:, 0] * rows[:, 1] + np.sin(3 * rows[:, 2]) + random.normal(size=4000) / 4
    model = lightgbm.train({"objective": "regression", "verbose": -1, "seed": 17, "deterministic": True,
                            "force_row_wise": True}, lightgbm.Dataset(rows, target), trees)
    text = model.model_to_string()
    return [f"{model.num_trees()} trees {hashlib.sha256(text.encode()).hexdigest()}",
            f"error {np.mean((model.predict(rows) - target) ** 2):.17e}"]
