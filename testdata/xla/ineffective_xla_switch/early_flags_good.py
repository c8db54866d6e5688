# The flags are set before TensorFlow reads them: at the first device, or the first compile.
import os

import tensorflow as tf

# After the import, but before TensorFlow looks at its devices.
os.environ["TF_XLA_FLAGS"] = "--tf_xla_cpu_global_jit"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
tf.config.optimizer.set_jit(True)


@tf.function(jit_compile=True)
def scaled(x):
    return x * 2.0


start = tf.constant(1.0)
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=true"
result = scaled(start)
