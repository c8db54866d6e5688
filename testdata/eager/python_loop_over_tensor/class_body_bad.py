# Rows that are collected in the body of a class: nothing is known of who reads its names, so no fix.
import tensorflow as tf

rows = tf.reshape(tf.range(600.0), [200, 3])


class Table:
    scale = 2.0
    products = []
    for row in rows:
        products.append(tf.reduce_sum(row * tf.abs(row)))
    products = tf.stack(products)


print(Table.scale, Table.products.shape)
