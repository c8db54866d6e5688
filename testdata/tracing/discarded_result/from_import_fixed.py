# The dataset comes by an import of the class: kinds know it, not the spelling `tf.data`.
# intent: correcting
from tensorflow import constant
from tensorflow.data import Dataset


def make_dataset(rows):
    data = Dataset.from_tensor_slices(rows)
    data = data.map(lambda row: row + 1)
    return data


first = next(iter(make_dataset(constant([1, 2, 3]))))
assert int(first) == 2
