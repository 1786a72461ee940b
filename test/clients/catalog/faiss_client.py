"""faiss: an index of vectors, trained, filled and searched."""

PINS = ("faiss-cpu==1.9.0.post1",)
# Each query and each centroid is one thread's, so what is found is compared exactly. Distances are sums in
# single precision, whose blocks the matrix product may choose by the number of threads.
RELATIVE = 1e-5
KNOWN = ("_swigfaiss",)


def work():
    import faiss
    import numpy as np

    random = np.random.default_rng(17)
    vectors = random.random((8000, 32), dtype=np.float32)
    index = faiss.index_factory(32, "IVF64,Flat")
    index.train(vectors)
    index.add(vectors)
    index.nprobe = 8
    lines = []
    exact = faiss.IndexFlatL2(32)
    exact.add(vectors)
    for name, one in (("inverted", index), ("exact", exact)):
        apart, found = one.search(vectors[:1000] + np.float32(0.01), 5)
        lines.append(f"{name} {int(found.ravel() @ (np.arange(found.size) % 1009))} "
                     f"{apart.sum(dtype=np.float64):.8e}")
    return lines
