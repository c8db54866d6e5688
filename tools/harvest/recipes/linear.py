"""Recipes for linear algebra and signals."""

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


def diagonals() -> tf.Tensor:
    return C([[0.1, 0.2, 0.1, 0.0], [4.0, 4.0, 4.0, 4.0], [0.0, 0.1, 0.2, 0.1]])


#: They do nothing to real numbers.
OF_COMPLEX = (
    "math.conj",
    "math.imag",
    "math.real",
    "experimental.numpy.conjugate",
    "experimental.numpy.real",
    "experimental.numpy.imag",
    "keras.ops.conjugate",
    "keras.ops.real",
    "keras.ops.imag",
)

RECIPES.add(
    {
        **dict.fromkeys(OF_COMPLEX, lambda: [given(floats(4)), given(complexes(4))]),
        "fftnd": lambda: [given(complexes(4, 4), C([4, 4]), C([0, 1]))],
        "ifftnd": lambda: [given(complexes(4, 4), C([4, 4]), C([0, 1]))],
        "rfftnd": lambda: [given(floats(4, 4), C([4, 4]), C([0, 1]))],
        "irfftnd": lambda: [given(complexes(4, 3), C([4, 4]), C([0, 1]))],
        "linalg.band_part": lambda: [given(floats(4, 4), 1, 1)],
        "linalg.banded_triangular_solve": lambda: [
            given(C([[0.1, 0.2, 0.3, 0.1], [2.0, 3.0, 4.0, 2.0]]), floats(4, 1))
        ],
        "linalg.cholesky": lambda: [given(positive_definite())],
        "linalg.cholesky_solve": lambda: [
            given(tf.linalg.cholesky(positive_definite()), floats(4, 1))
        ],
        "linalg.det": lambda: [given(positive_definite())],
        "linalg.slogdet": lambda: [given(positive_definite())],
        "linalg.logdet": lambda: [given(positive_definite())],
        "linalg.inv": lambda: [given(positive_definite())],
        "linalg.pinv": lambda: [given(positive_definite())],
        "linalg.sqrtm": lambda: [given(positive_definite())],
        "linalg.expm": lambda: [given(floats(3, 3))],
        "linalg.logm": lambda: [given(tf.cast(positive_definite(), tf.complex64))],
        "linalg.eigh": lambda: [given(positive_definite())],
        "linalg.eigvalsh": lambda: [given(positive_definite())],
        "linalg.eig": lambda: [given(positive_definite())],
        "linalg.eigvals": lambda: [given(positive_definite())],
        "eig": lambda: [given(positive_definite())],
        "eigvals": lambda: [given(positive_definite())],
        "linalg.qr": lambda: [given(floats(4, 3))],
        "linalg.svd": lambda: [given(floats(4, 3))],
        "linalg.solve": lambda: [given(positive_definite(), floats(4, 1))],
        "linalg.lstsq": lambda: [given(floats(4, 3), floats(4, 1))],
        "linalg.triangular_solve": lambda: [
            given(tf.linalg.band_part(positive_definite(), -1, 0), floats(4, 1))
        ],
        "linalg.lu": lambda: [given(positive_definite())],
        "linalg.lu_matrix_inverse": lambda: [given(*tf.linalg.lu(positive_definite()))],
        "linalg.lu_reconstruct": lambda: [given(*tf.linalg.lu(positive_definite()))],
        "linalg.lu_solve": lambda: [given(*tf.linalg.lu(positive_definite()), floats(4, 1))],
        "linalg.tridiagonal_solve": lambda: [
            given(diagonals(), floats(4), diagonals_format="compact"),
        ],
        "linalg.tridiagonal_matmul": lambda: [
            given(diagonals(), floats(4, 1), diagonals_format="compact")
        ],
        "linalg.experimental.conjugate_gradient": lambda: [
            given(
                tf.linalg.LinearOperatorFullMatrix(
                    positive_definite(), is_self_adjoint=True, is_positive_definite=True
                ),
                floats(4),
            )
        ],
        "linalg.matmul": lambda: [given(floats(3, 4), floats(4, 3))],
        "linalg.matvec": lambda: [given(floats(3, 4), floats(4))],
        "linalg.set_diag": lambda: [given(floats(4, 4), floats(4))],
        "linalg.diag": lambda: [given(floats(4))],
        "linalg.diag_part": lambda: [given(floats(4, 4))],
        "matrix_square_root": lambda: [given(positive_definite())],
        "einsum": lambda: [given("ij,jk->ik", floats(3, 4), floats(4, 3))],
        "norm": lambda: [given(floats(4)), given(floats(3, 4), ord=2, axis=1)],
        "signal.fft": lambda: [given(complexes(4, 8))],
        "signal.fft2d": lambda: [given(complexes(4, 8))],
        "signal.fft3d": lambda: [given(complexes(2, 4, 8))],
        "signal.ifft": lambda: [given(complexes(4, 8))],
        "signal.ifft2d": lambda: [given(complexes(4, 8))],
        "signal.ifft3d": lambda: [given(complexes(2, 4, 8))],
        "signal.fftnd": lambda: [given(complexes(4, 8))],
        "signal.ifftnd": lambda: [given(complexes(4, 8))],
        "signal.rfft": lambda: [given(floats(4, 8))],
        "signal.rfft2d": lambda: [given(floats(4, 8))],
        "signal.rfft3d": lambda: [given(floats(2, 4, 8))],
        "signal.irfft": lambda: [given(complexes(4, 5))],
        "signal.irfft2d": lambda: [given(complexes(4, 5))],
        "signal.irfft3d": lambda: [given(complexes(2, 4, 5))],
        "signal.rfftnd": lambda: [given(floats(4, 8))],
        "signal.irfftnd": lambda: [given(complexes(4, 5))],
        "signal.fftshift": lambda: [given(floats(4, 8))],
        "signal.ifftshift": lambda: [given(floats(4, 8))],
        "signal.dct": lambda: [given(floats(4, 8))],
        "signal.idct": lambda: [given(floats(4, 8))],
        "signal.mdct": lambda: [given(floats(32), 8)],
        "signal.inverse_mdct": lambda: [given(floats(4, 4))],
        "signal.stft": lambda: [given(floats(32), 8, 4)],
        "signal.inverse_stft": lambda: [given(complexes(5, 5), 8, 4)],
        "signal.frame": lambda: [given(floats(32), 8, 4)],
        "signal.overlap_and_add": lambda: [given(floats(4, 8), 4)],
        "signal.hann_window": lambda: [given(8)],
        "signal.hamming_window": lambda: [given(8)],
        "signal.kaiser_window": lambda: [given(8)],
        "signal.linear_to_mel_weight_matrix": lambda: [given(8, 17, 8000.0, 80.0, 3000.0)],
    }
)
