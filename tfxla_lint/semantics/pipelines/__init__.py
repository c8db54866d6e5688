"""tf.data pipelines: their stages, and what reads them."""
