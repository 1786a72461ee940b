from program import Program

PROGRAM = Program(
    about="scikit-learn: k-means and boosted trees",
    pypi="scikit-learn==1.5.2 numpy==1.26.4 scipy==1.11.4 joblib==1.4.2 threadpoolctl==3.5.0",
    sizes={"rows": (20_000, 3_000)},
    files={"work.py": """
import numpy as np
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingRegressor

random = np.random.default_rng(17)
points = random.normal(size=(@rows@, 16)) + 8 * random.integers(0, 2, size=(@rows@, 16))
means = KMeans(8, n_init=1, max_iter=30, tol=0, random_state=17).fit(points)
print("kmeans %.6e" % means.inertia_)
target = np.sin(points[:, 0]) + points[:, 1] * points[:, 2] + random.normal(size=@rows@)
trees = HistGradientBoostingRegressor(max_iter=40, random_state=17).fit(points, target)
print("boosting %.6e %.6e" % (trees.score(points, target), trees.predict(points[:100]).sum()))
"""},
    command="@python@ work.py",
    relative=1e-3,
    seconds=3,
    note="The wheel contains a libgomp of its own under another name.",
)
