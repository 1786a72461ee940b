from program import Program

PROGRAM = Program(
    about="faiss: an index of vectors, trained, filled and searched",
    debian="python3-faiss python3-numpy libopenblas0-openmp",
    sizes={"vectors": (20_000, 5_000)},
    files={"work.py": """
import faiss
import numpy as np

random = np.random.default_rng(17)
vectors = random.random((@vectors@, 32), dtype=np.float32)
index = faiss.index_factory(32, "IVF64,Flat")
index.train(vectors)
index.add(vectors)
index.nprobe = 16
apart, found = index.search(vectors[:4000], 10)
print(int((found[:, 0] == np.arange(len(found))).sum()), "%.4e" % apart.sum())
exact = faiss.IndexFlatL2(32)
exact.add(vectors)
apart, found = exact.search(vectors[:1000] + 0.01, 5)
print(int((found[:, 0] == np.arange(len(found))).sum()), "%.4e" % apart.sum())
"""},
    command="/usr/bin/python3 work.py",
    relative=1e-3,
    seconds=2,
)
