# Modules and names that an import can't find: invented, or gone since a version.
# intent: correcting
import tensorflow.keras.engine as engine
from tensorflow.experimental import async_stream
from tensorflow.keras.wrappers.scikit_learn import KerasClassifier

node = engine.Node
classifier = KerasClassifier
stream = async_stream
