from program import Program

PROGRAM = Program(
    about="PyTorch: four Python threads; each trains a small network on two threads",
    debian="python3-torch python3-numpy libopenblas0-openmp",
    sizes={"steps": (40, 5)},
    files={"work.py": """
import threading
import torch
from torch import nn

results = [None] * 4

def train(number, model, rows, target):
    torch.set_num_threads(2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(@steps@):
        optimizer.zero_grad()
        loss = ((model(rows) - target) ** 2).mean()
        loss.backward()
        optimizer.step()
    results[number] = loss.item()

torch.manual_seed(17)
threads = []
for number in range(4):
    model = nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1))
    threads.append(threading.Thread(target=train, args=(number, model, torch.randn(256, 64), torch.randn(256, 1))))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(" ".join("%.5e" % loss for loss in results))
"""},
    command="/usr/bin/python3 work.py",
    relative=1e-3,
    seconds=3,
)
