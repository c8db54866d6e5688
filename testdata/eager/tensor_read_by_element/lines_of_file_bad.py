# What a data set of lines gives are texts, one for each example of the batch that a helper goes through.
import os
import tempfile

import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "labels.txt")
with open(path, "w") as file:
    file.write("\n".join(f"picture-{number} {number % 3}" for number in range(200)))


def split(batch):
    rows = []
    for line in batch:
        rows.append(line.numpy().decode("utf-8").split(" "))
    return rows


seen = []
for batch in tf.data.TextLineDataset(path).batch(50):
    seen += split(batch)
print(len(seen), seen[-1])
