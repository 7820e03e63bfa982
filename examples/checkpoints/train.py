"""Continues where it was: a program without any framework."""
import json
import os

CHECKPOINT = "checkpoints/state.json"
EPOCHS = int(os.environ.get("EPOCHS", "5"))

state = {"epoch": 0, "total": 0}
if os.path.exists(CHECKPOINT):
    with open(CHECKPOINT) as file:
        state = json.load(file)
    print(f"going on after epoch {state['epoch']}", flush=True)

while state["epoch"] < EPOCHS:
    state["epoch"] += 1
    state["total"] += state["epoch"] ** 2  # one epoch of your training

    # Write beside, then rename: a checkpoint is there whole, or it is the one before.
    os.makedirs("checkpoints", exist_ok=True)
    with open(CHECKPOINT + ".part", "w") as file:
        json.dump(state, file)
    os.replace(CHECKPOINT + ".part", CHECKPOINT)
    print(f"epoch {state['epoch']}: {state['total']}", flush=True)

os.makedirs("results", exist_ok=True)
with open("results/total.txt", "w") as file:
    file.write(f"{state['total']}\n")
