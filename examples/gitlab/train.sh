#!/bin/sh
# Stands for a training script: it looks for its own progress first, and writes whatever it would not lose.
mkdir -p results
epoch=$(cat epoch 2>/dev/null || echo 0)
while [ "$epoch" -lt 10 ]; do
  epoch=$((epoch + 1))
  echo "epoch $epoch"
  echo "0.$((99 - 9 * epoch))" >> results/losses
  echo "$epoch" > epoch.new && mv epoch.new epoch
  sleep 0.1
done
echo "loss=$(tail -n 1 results/losses)" >> "$TPI_OUTPUT"
echo "**$epoch epochs**" >> "$TPI_SUMMARY"
