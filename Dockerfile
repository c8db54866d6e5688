# tfxla-lint from this tree: docker build -t tfxla-lint . && docker run --rm -v "$PWD:/src" tfxla-lint
FROM python:3.12-slim AS build
COPY . /tree
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /tree

FROM python:3.12-slim
# "[verify]" adds TensorFlow.
ARG EXTRAS=""
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*'
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "tfxla-lint${EXTRAS} @ file://$(echo /wheels/*.whl)" && rm -r /wheels
WORKDIR /src
ENTRYPOINT ["tfxla-lint"]
