"""Continues where it was: PyTorch. Model, optimizer and the state of the random numbers belong together."""
import os

import torch

CHECKPOINT = "checkpoints/last.pt"

model = torch.nn.Linear(8, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
first = 0
if os.path.exists(CHECKPOINT):
    saved = torch.load(CHECKPOINT, map_location="cpu", weights_only=True)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    torch.set_rng_state(saved["random"])
    first = saved["epoch"] + 1
    print(f"going on with epoch {first}", flush=True)

for epoch in range(first, 20):
    inputs = torch.randn(256, 8)
    loss = torch.nn.functional.mse_loss(model(inputs), inputs.sum(dim=1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}", flush=True)

    os.makedirs("checkpoints", exist_ok=True)
    torch.save(
        {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "random": torch.get_rng_state(), "epoch": epoch},
        CHECKPOINT + ".part",
    )
    os.replace(CHECKPOINT + ".part", CHECKPOINT)

os.makedirs("results", exist_ok=True)
torch.save(model.state_dict(), "results/model.pt")
