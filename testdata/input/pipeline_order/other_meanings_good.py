"""Batches that are the examples, draws that are meant to stay, beginnings that are not seen."""

import tensorflow as tf


def sequences(ids, length, batch_size):
    data = tf.data.Dataset.from_tensor_slices(ids).batch(length + 1, drop_remainder=True)
    data = data.map(lambda chunk: (chunk[:-1], chunk[1:]))
    return data.shuffle(1000).batch(batch_size)


def windows(series, batch_size):
    data = tf.data.Dataset.from_tensor_slices(series).window(5, shift=1, drop_remainder=True)
    data = data.flat_map(lambda part: part.batch(5))
    return data.shuffle(100).batch(batch_size)


def chunks(ids, length):
    return tf.data.Dataset.from_tensor_slices(ids).batch(length).shuffle(1000)


def given(data, batch_size):
    return data.batch(batch_size).shuffle(100)


def mask(row):
    return tf.where(tf.random.uniform([8], seed=7) > 0.5, row, 0)


def prepare(row, training=False):
    if training:
        row = tf.random.shuffle(row)
    return row


def evaluation(rows):
    data = tf.data.Dataset.from_tensor_slices(rows)
    masked = data.map(mask).cache()
    plain = data.map(prepare).cache()
    return masked, plain, data.batch(1).shuffle(10)


def unpacked(batches, batch_size):
    data = tf.data.Dataset.from_tensor_slices(batches).batch(batch_size)
    return data.unbatch().shuffle(100).batch(batch_size)
