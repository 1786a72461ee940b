"""scikit-learn: k-means, boosted trees, and distances with the nearest neighbours."""

PINS = ("scikit-learn==1.5.2", "joblib==1.4.2")
# Lloyd's step and the sums of gradients add up in the order of the threads, in double precision. The labels
# and neighbours do not depend on that, and are compared exactly, as whole numbers.
RELATIVE = 1e-9
KNOWN = ("_k_means_lloyd", "_gradient_boosting", "histogram", "splitting")


def work():
    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.neighbors import NearestNeighbors

    random = np.random.default_rng(17)
    points = random.normal(size=(4000, 16)) + 8 * random.integers(0, 2, size=(4000, 16))
    means = KMeans(8, n_init=1, max_iter=30, tol=0, random_state=17).fit(points)
    target = np.sin(points[:, 0]) + points[:, 1] * points[:, 2] + random.normal(size=4000)
    trees = HistGradientBoostingRegressor(max_iter=25, random_state=17).fit(points, target)
    near = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(points).kneighbors(points)[1]
    weights = np.arange(near.size) % 1009
    return [f"k-means {int(means.labels_ @ weights[:4000])} {means.n_iter_} {means.inertia_:.12e}",
            f"boosting {trees.score(points, target):.12e} {trees.predict(points).sum():.12e}",
            f"neighbours {int(near.ravel() @ weights)}"]
