# TCP Atlas with all that it needs:
#   docker build --tag tcp-atlas:0.1.0 .
#   docker run --rm --volume "$PWD/results:/atlas/results" tcp-atlas:0.1.0 reproduce
# Behind a proxy with an authority of its own, hand its certificates in:
#   docker build --secret id=ca,src=ca-certificates.crt --build-arg PIP_CERT=/run/secrets/ca ...
FROM debian:12
ARG PIP_CERT
WORKDIR /atlas

# What setup needs comes first, so that a change of anything else does not install everything again.
COPY atlas ./
COPY envs envs
COPY workflow/engines workflow/engines
RUN --mount=type=secret,id=ca ./atlas setup

COPY . .
ENTRYPOINT ["./atlas"]
CMD ["help"]
