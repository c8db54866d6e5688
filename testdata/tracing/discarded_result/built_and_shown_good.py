"""Functions that build a dataset and do something with it, too: they are called for what they do."""

import tensorflow as tf


def show(dataset, count):
    dataset = dataset.batch(4).take(count)
    for batch in dataset:
        print(batch.shape)
    return dataset


def store(dataset, path):
    dataset = dataset.batch(4)
    dataset.save(path)
    return dataset


class Pipeline:
    def keep(self, dataset):
        self.dataset = dataset.cache()
        return self.dataset


def main():
    rows = tf.data.Dataset.from_tensor_slices(tf.ones([40, 8]))
    show(rows, 2)
    store(rows, "rows")
    Pipeline().keep(rows)
    return rows


main()
