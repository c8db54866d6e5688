"""Recipes for `keras.ops`, the backend and other Keras functions."""

from __future__ import annotations

import tensorflow as tf

from tools.harvest.recipes.registry import (
    RECIPES,
    complexes,
    floats,
    given,
    positive_definite,
)

C = tf.constant


def pictures() -> tf.Tensor:
    return floats(1, 8, 8, 3)


def boxes() -> tf.Tensor:
    return C([[[1.0, 1.0, 4.0, 4.0], [2.0, 2.0, 6.0, 6.0]]])


RECIPES.add(
    {
        "keras.ops.array": lambda: [given(floats(4))],
        "keras.ops.arange": lambda: [given(5)],
        "keras.ops.argpartition": lambda: [given(floats(4), 2)],
        "keras.ops.associative_scan": lambda: [given(tf.add, floats(4)), given(tf.add, floats(3))],
        "keras.ops.average": lambda: [given(floats(4))],
        "keras.ops.average_pool": lambda: [given(pictures(), 2)],
        "keras.ops.bartlett": lambda: [given(5)],
        "keras.ops.batch_normalization": lambda: [given(pictures(), floats(3), floats(3), -1)],
        "keras.ops.bincount": lambda: [given(C([0, 1, 1]))],
        "keras.ops.blackman": lambda: [given(5)],
        "keras.ops.cholesky": lambda: [given(positive_definite())],
        "keras.ops.cholesky_inverse": lambda: [given(positive_definite())],
        "keras.ops.concatenate": lambda: [given([floats(2, 2), floats(2, 2)])],
        "keras.ops.cond": lambda: [given(C(True), lambda: C(1.0), lambda: C(2.0))],
        "keras.ops.conj": lambda: [given(complexes(4))],
        "keras.ops.imag": lambda: [given(complexes(4))],
        "keras.ops.real": lambda: [given(complexes(4))],
        "keras.ops.conv": lambda: [given(pictures(), floats(2, 2, 3, 4))],
        "keras.ops.conv_transpose": lambda: [given(pictures(), floats(2, 2, 4, 3), 2)],
        "keras.ops.corrcoef": lambda: [given(floats(3, 4))],
        "keras.ops.ctc_decode": lambda: [given(floats(1, 4, 4), C([4]))],
        "keras.ops.ctc_loss": lambda: [given(C([[1, 2]]), floats(1, 4, 4), C([2]), C([4]))],
        "keras.ops.custom_gradient": list,
        "keras.ops.depthwise_conv": lambda: [given(pictures(), floats(2, 2, 3, 2))],
        "keras.ops.digitize": lambda: [given(floats(4), [0.3, 0.7])],
        "keras.ops.dot_product_attention": lambda: [
            given(floats(1, 4, 2, 8), floats(1, 4, 2, 8), floats(1, 4, 2, 8))
        ],
        "keras.ops.einsum": lambda: [given("ij,jk->ik", floats(3, 4), floats(4, 3))],
        "keras.ops.eig": lambda: [given(positive_definite())],
        "keras.ops.eigh": lambda: [given(positive_definite())],
        "keras.ops.det": lambda: [given(positive_definite())],
        "keras.ops.inv": lambda: [given(positive_definite())],
        "keras.ops.pinv": lambda: [given(positive_definite())],
        "keras.ops.slogdet": lambda: [given(positive_definite())],
        "keras.ops.logdet": lambda: [given(positive_definite())],
        "keras.ops.lu_factor": lambda: [given(positive_definite())],
        "keras.ops.solve": lambda: [given(positive_definite(), floats(4, 1))],
        "keras.ops.solve_triangular": lambda: [
            given(tf.linalg.band_part(positive_definite(), 0, -1), floats(4, 1))
        ],
        "keras.ops.lstsq": lambda: [given(floats(4, 3), floats(4, 1))],
        "keras.ops.qr": lambda: [given(floats(4, 3))],
        "keras.ops.svd": lambda: [given(floats(4, 3))],
        "keras.ops.expand_dims": lambda: [given(floats(4), 0)],
        "keras.ops.extract_sequences": lambda: [given(floats(32), 8, 4)],
        "keras.ops.fft": lambda: [given((floats(2, 8), floats(2, 8)))],
        "keras.ops.fft2": lambda: [given((floats(4, 8), floats(4, 8)))],
        "keras.ops.ifft2": lambda: [given((floats(4, 8), floats(4, 8)))],
        "keras.ops.rfft": lambda: [given(floats(2, 8))],
        "keras.ops.irfft": lambda: [given((floats(2, 5), floats(2, 5)))],
        "keras.ops.stft": lambda: [given(floats(1, 64), 16, 8, 16)],
        "keras.ops.istft": lambda: [given((floats(1, 5, 9), floats(1, 5, 9)), 16, 8, 16)],
        "keras.ops.flip": lambda: [given(floats(4))],
        "keras.ops.fori_loop": lambda: [given(0, 3, lambda i, v: v + 1.0, C(0.0))],
        "keras.ops.full": lambda: [given((2, 3), 9.0)],
        "keras.ops.hamming": lambda: [given(5)],
        "keras.ops.hanning": lambda: [given(5)],
        "keras.ops.kaiser": lambda: [given(5, 2.0)],
        "keras.ops.histogram": lambda: [given(floats(8), 4)],
        "keras.ops.hstack": lambda: [given([floats(2), floats(2)])],
        "keras.ops.vstack": lambda: [given([floats(2), floats(2)])],
        "keras.ops.dstack": lambda: [given([floats(2), floats(2)])],
        "keras.ops.stack": lambda: [given([floats(2), floats(2)])],
        "keras.ops.in_top_k": lambda: [given(C([1, 0]), floats(2, 4), 2)],
        "keras.ops.inner": lambda: [
            given(floats(4), floats(4)),
            given(floats(3, 4), floats(3, 4)),
        ],
        "keras.ops.isin": lambda: [given(C([1, 2]), C([2, 3]))],
        "keras.ops.kron": lambda: [given(floats(2, 2), floats(2, 2))],
        "keras.ops.map": lambda: [given(lambda x: x * 2.0, floats(4, 2))],
        "keras.ops.max_pool": lambda: [given(pictures(), 2)],
        "keras.ops.moments": lambda: [given(pictures(), [0, 1, 2])],
        "keras.ops.moveaxis": lambda: [given(floats(4, 3), 0, 1)],
        "keras.ops.multi_hot": lambda: [given(C([0, 1]), 3)],
        "keras.ops.one_hot": lambda: [given(C([0, 1]), 3)],
        "keras.ops.pad": lambda: [given(floats(4), [[1, 1]])],
        "keras.ops.psnr": lambda: [given(pictures(), pictures(), 1.0)],
        "keras.ops.nanpercentile": lambda: [given(floats(4), 50)],
        "keras.ops.nanquantile": lambda: [given(floats(4), 0.5)],
        "keras.ops.percentile": lambda: [given(floats(4), 50)],
        "keras.ops.quantile": lambda: [given(floats(4), 0.5)],
        "keras.ops.repeat": lambda: [given(floats(4), 2)],
        "keras.ops.reshape": lambda: [given(floats(4), (2, 2))],
        "keras.ops.rms_normalization": lambda: [given(floats(2, 4))],
        "keras.ops.scan": lambda: [given(lambda c, x: (c + x, c), C(0.0), floats(4))],
        "keras.ops.scatter": lambda: [given(C([[0], [2]]), floats(2), (4,))],
        "keras.ops.scatter_update": lambda: [given(floats(4), C([[0], [2]]), floats(2))],
        "keras.ops.searchsorted": lambda: [given(C([1.0, 2.0, 3.0]), C([1.5]))],
        "keras.ops.segment_max": lambda: [given(floats(4), C([0, 0, 1, 1]), 2)],
        "keras.ops.segment_sum": lambda: [
            given(floats(4), C([0, 0, 1, 1]), 2),
            given(floats(4), C([0, 0, 1, 1])),
        ],
        "keras.ops.separable_conv": lambda: [
            given(pictures(), floats(2, 2, 3, 2), floats(1, 1, 6, 4))
        ],
        "keras.ops.slice": lambda: [given(floats(4), (1,), (2,))],
        "keras.ops.slice_update": lambda: [given(floats(4), (1,), floats(2))],
        "keras.ops.split": lambda: [given(floats(4), 2)],
        "keras.ops.squeeze": lambda: [given(floats(1, 4))],
        "keras.ops.swapaxes": lambda: [given(floats(4, 3), 0, 1)],
        "keras.ops.switch": lambda: [given(C(1), [lambda: C(1.0), lambda: C(2.0)])],
        "keras.ops.take": lambda: [given(floats(4), C([0, 2]))],
        "keras.ops.take_along_axis": lambda: [given(floats(2, 2), C([[0], [1]]), 1)],
        "keras.ops.tensordot": lambda: [given(floats(3, 4), floats(4, 3), 1)],
        "keras.ops.tile": lambda: [given(floats(4), 2)],
        "keras.ops.top_k": lambda: [given(floats(4), 2)],
        "keras.ops.transpose": lambda: [given(floats(4, 3))],
        "keras.ops.unfold": lambda: [given(floats(1, 3, 8, 8), 2)],
        "keras.ops.unique": lambda: [given(C([1, 1, 2]))],
        "keras.ops.unravel_index": lambda: [given(C([2, 5]), (3, 3))],
        "keras.ops.vectorize": list,
        "keras.ops.vectorized_map": lambda: [given(lambda x: x * 2.0, floats(4, 2))],
        "keras.ops.where": lambda: [
            given(C([True, False])),
            given(C([True, False]), floats(2), floats(2)),
        ],
        "keras.ops.while_loop": lambda: [
            given(lambda i: i < 3, lambda i: i + 1, C(0)),
        ],
        "keras.ops.zeros": lambda: [given((2, 3))],
        "keras.ops.ones": lambda: [given((2, 3))],
        "keras.ops.view_as_complex": lambda: [given(floats(4, 2))],
        "keras.ops.view_as_real": lambda: [given(complexes(4))],
        "keras.ops.image.affine_transform": lambda: [
            given(pictures(), C([[1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]))
        ],
        "keras.ops.image.crop_images": lambda: [given(pictures(), 1, 1, None, None, 4, 4)],
        "keras.ops.image.elastic_transform": lambda: [given(pictures())],
        "keras.ops.image.extract_patches": lambda: [given(pictures(), 2)],
        "keras.ops.image.gaussian_blur": lambda: [given(pictures())],
        "keras.ops.image.map_coordinates": lambda: [
            given(floats(4, 4), [floats(2, 2), floats(2, 2)], 1)
        ],
        "keras.ops.image.pad_images": lambda: [given(pictures(), 1, 1, None, None, 12, 12)],
        "keras.ops.image.perspective_transform": lambda: [
            given(
                pictures(),
                C([[[0.0, 0.0], [0.0, 7.0], [7.0, 0.0], [7.0, 7.0]]]),
                C([[[0.0, 1.0], [0.0, 7.0], [7.0, 0.0], [6.0, 7.0]]]),
            )
        ],
        "keras.ops.image.resize": lambda: [given(pictures(), (4, 4))],
        "keras.ops.image.rgb_to_grayscale": lambda: [given(pictures())],
        "keras.ops.image.rgb_to_hsv": lambda: [given(pictures())],
        "keras.ops.image.hsv_to_rgb": lambda: [given(pictures())],
        "keras.ops.image.scale_and_translate": lambda: [
            given(floats(8, 8, 3), (4, 4, 3), C([0.5, 0.5]), C([0.0, 0.0]), (0, 1), "linear")
        ],
        "keras.random.beta": lambda: [given((4,), 0.5, 0.5)],
        "keras.random.binomial": lambda: [given((4,), 5.0, 0.5)],
        "keras.random.categorical": lambda: [given(floats(2, 4), 3)],
        "keras.random.dropout": lambda: [given(floats(4, 4), 0.5)],
        "keras.random.gamma": lambda: [given((4,), 0.5)],
        "keras.random.normal": lambda: [given((4,))],
        "keras.random.randint": lambda: [given((4,), 0, 9)],
        "keras.random.shuffle": lambda: [given(floats(4))],
        "keras.random.truncated_normal": lambda: [given((4,))],
        "keras.random.uniform": lambda: [given((4,))],
        "keras.losses.ctc": lambda: [given(C([[1, 2]]), floats(1, 4, 4))],
        "keras.utils.bounding_boxes.clip_to_image_size": lambda: [
            given({"boxes": boxes(), "labels": C([[1, 2]])}, 8, 8, "xyxy")
        ],
        "keras.utils.bounding_boxes.compute_iou": lambda: [given(boxes(), boxes(), "xyxy")],
        "keras.utils.bounding_boxes.compute_ciou": lambda: [given(boxes(), boxes(), "xyxy")],
        "keras.utils.bounding_boxes.convert_format": lambda: [given(boxes(), "xyxy", "xywh")],
        "keras.utils.normalize": list,
        # the backend, which Keras 2 shows in full
        "keras.backend.batch_dot": lambda: [given(floats(2, 3, 4), floats(2, 4, 3), (2, 1))],
        "keras.backend.bias_add": lambda: [given(pictures(), floats(3))],
        "keras.backend.concatenate": lambda: [given([floats(2, 2), floats(2, 2)])],
        "keras.backend.conv1d": lambda: [given(floats(1, 8, 3), floats(2, 3, 4))],
        "keras.backend.conv2d": lambda: [given(pictures(), floats(2, 2, 3, 4))],
        "keras.backend.conv2d_transpose": lambda: [
            given(pictures(), floats(2, 2, 4, 3), (1, 9, 9, 4))
        ],
        "keras.backend.conv3d": lambda: [given(floats(1, 4, 4, 4, 1), floats(2, 2, 2, 1, 1))],
        "keras.backend.ctc_batch_cost": lambda: [
            given(C([[1, 2]]), tf.nn.softmax(floats(1, 4, 4)), C([[4]]), C([[2]]))
        ],
        "keras.backend.ctc_decode": lambda: [given(tf.nn.softmax(floats(1, 4, 4)), C([4]))],
        "keras.backend.depthwise_conv2d": lambda: [given(pictures(), floats(2, 2, 3, 2))],
        "keras.backend.separable_conv2d": lambda: [
            given(pictures(), floats(2, 2, 3, 2), floats(1, 1, 6, 4))
        ],
        "keras.backend.in_top_k": lambda: [given(floats(2, 4), C([1, 0]), 2)],
        "keras.backend.pool2d": lambda: [given(pictures(), (2, 2))],
        "keras.backend.pool3d": lambda: [given(floats(1, 4, 4, 4, 1), (2, 2, 2))],
        "keras.backend.repeat_elements": lambda: [given(floats(2, 3), 2, 1)],
        "keras.backend.resize_images": lambda: [given(pictures(), 2, 2, "channels_last")],
        "keras.backend.resize_volumes": lambda: [
            given(floats(1, 4, 4, 4, 1), 2, 2, 2, "channels_last")
        ],
        "keras.backend.rnn": lambda: [
            given(lambda x, s: (x + s[0], [x + s[0]]), floats(2, 3, 4), [floats(2, 4)])
        ],
        "keras.backend.spatial_3d_padding": lambda: [given(floats(1, 4, 4, 4, 1))],
        "keras.backend.constant": lambda: [given([1.0, 2.0]), given(1.0, shape=[2, 3])],
        "keras.backend.switch": lambda: [given(C(True), floats(2), floats(2))],
        # what is low in TensorFlow itself
        "bitwise.bitwise_and": lambda: [given(C([1, 2]), C([3, 4]))],
        "bitwise.bitwise_or": lambda: [given(C([1, 2]), C([3, 4]))],
        "bitwise.bitwise_xor": lambda: [given(C([1, 2]), C([3, 4]))],
        "bitwise.left_shift": lambda: [given(C([1, 2]), C([3, 4]))],
        "bitwise.right_shift": lambda: [given(C([9, 8]), C([1, 2]))],
        "linalg.eigh_tridiagonal": lambda: [given(floats(4), floats(3))],
        "conv": lambda: [given(pictures(), floats(2, 2, 3, 4), [1, 1, 1, 1], "SAME")],
        "experimental.numpy.arange": lambda: [given(5)],
        "experimental.numpy.diag_indices": lambda: [given(3)],
        "experimental.numpy.vstack": lambda: [given([floats(2), floats(2)])],
        "experimental.numpy.hstack": lambda: [given([floats(2), floats(2)])],
        "experimental.numpy.dstack": lambda: [given([floats(2), floats(2)])],
        "experimental.numpy.stack": lambda: [given([floats(2), floats(2)])],
        "experimental.numpy.concatenate": lambda: [given([floats(2), floats(2)])],
        "experimental.numpy.tri": lambda: [given(3)],
        "experimental.numpy.fliplr": lambda: [given(floats(2, 3))],
        "experimental.numpy.conj": lambda: [given(complexes(4))],
        "experimental.numpy.imag": lambda: [given(complexes(4))],
        "experimental.numpy.real": lambda: [given(complexes(4))],
        "experimental.numpy.broadcast_arrays": lambda: [given(floats(1, 3), floats(2, 1))],
        "debugging.assert_rank_in": lambda: [given(floats(4), (1, 2))],
    }
)
