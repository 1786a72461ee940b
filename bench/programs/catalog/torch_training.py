from program import Program

PROGRAM = Program(
    about="PyTorch: training of a small convolutional network",
    debian="python3-torch python3-numpy libopenblas0-openmp",
    sizes={"steps": (6, 2)},
    files={"work.py": """
import torch
from torch import nn

torch.manual_seed(17)
model = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
                      nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))
pictures, kinds = torch.randn(32, 3, 32, 32), torch.randint(0, 10, (32,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(@steps@):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(pictures), kinds)
    loss.backward()
    optimizer.step()
    print("%.6f" % loss.item())
"""},
    command="/usr/bin/python3 work.py",
    relative=1e-3,
    seconds=3,
)
