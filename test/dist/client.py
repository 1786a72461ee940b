"""Clusters of fixed points by scikit-learn, which is built on OpenMP. Prints the sizes of the clusters."""
import numpy
import sklearn.cluster

points = numpy.arange(6000, dtype=float).reshape(-1, 2) % 97
labels = sklearn.cluster.KMeans(n_clusters=4, n_init=1, init=points[:4], max_iter=20).fit(points).labels_
print("result", *numpy.bincount(labels))
