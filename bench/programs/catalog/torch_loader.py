from program import Program

PROGRAM = Program(
    about="PyTorch: a DataLoader with two forked workers, after regions in the parent",
    debian="python3-torch python3-numpy libopenblas0-openmp",
    sizes={"rows": (3200, 640)},
    files={"work.py": """
import torch
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __len__(self):
        return @rows@
    def __getitem__(self, i):
        row = torch.full((64, 64), float(i % 17)) / 17
        return (row @ row).sum(dim=0)

torch.manual_seed(17)
before = torch.randn(600, 600)
print("%.5e" % (before @ before).norm().item())
weights = torch.randn(64, 8)
total = torch.zeros(8, dtype=torch.float64)
for batch in DataLoader(Rows(), batch_size=64, num_workers=2, multiprocessing_context="fork"):
    total += (batch @ weights).sum(dim=0).double()
print(" ".join("%.5e" % part for part in total.tolist()))
"""},
    command="/usr/bin/python3 work.py",
    relative=1e-3,
    seconds=3,
)
