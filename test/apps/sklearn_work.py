"""Clusters and classifies scikit-learn's bundled data; prints digests of the labels."""

import ctypes
import hashlib
import sys

import threadpoolctl
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import HistGradientBoostingClassifier

threads = int(sys.argv[1])


def digest(labels):
    return hashlib.sha256(labels.astype("int64").tobytes()).hexdigest()


digits = load_digits().data
with threadpoolctl.threadpool_limits(threads, user_api="openmp"):
    # Lloyd's step sums in an order that depends on the threads. Rounding does not change the labels
    # of a converged clustering, and a single start makes two runs comparable.
    clusters = KMeans(n_clusters=10, n_init=1, random_state=5, algorithm="lloyd").fit(digits)
    X, y = load_breast_cancer(return_X_y=True)
    boosted = HistGradientBoostingClassifier(max_iter=60, random_state=5).fit(X, y)
    predicted = boosted.predict(X)
    limits = sorted((pool["filepath"].rsplit("/", 3)[1:], pool["num_threads"])
                    for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "openmp")

print("kmeans", digest(clusters.labels_), clusters.n_iter_)
print("boosting", digest(predicted), f"{boosted.score(X, y):.4f}")
print("limited to", *(n for path, n in limits if path[:2] == ["vicino", "replace"]))
print("vicino", hasattr(ctypes.CDLL(None), "vicino_version"))
