# Prints to a file, texts made first, logging, and XLA, which has no `tf.print`.
# intent: correcting
import logging
import sys

import tensorflow as tf

logger = logging.getLogger(__name__)


@tf.function
def total(x):
    result = tf.reduce_sum(x)
    print("total", result, file=sys.stderr)
    print("total " + str(result))
    logger.info("total %s", result)
    return result


@tf.function(jit_compile=True)
def compiled(x):
    result = tf.reduce_sum(x)
    print(result)
    return result


totals = [total(tf.ones([3])), compiled(tf.ones([3]))]
