# An escape of which Python only warns is no error.
import tensorflow as tf

# Python warns of the escape but takes it.
pattern = "\d+"
found = tf.strings.regex_full_match("42", pattern)
