# TCP Atlas with all that it needs; docs/in-a-container.md says how to build and use it.
FROM debian:12
LABEL org.opencontainers.image.title="TCP Atlas" \
      org.opencontainers.image.description="Five classic papers on TCP performance, reproduced and checked" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT AND GPL-2.0-only"
# Where pip finds the certificates of an authority of one's own, handed in as the secret `ca`.
ARG PIP_CERT
# Any user may run the image: one without a name, or a home, on the machine, too.
ENV HOME=/tmp LOGNAME=atlas
WORKDIR /atlas

# What setup needs comes first, so that a change of anything else does not install everything again.
COPY atlas CITATION.cff ./
COPY envs envs
COPY workflow/engines workflow/engines
RUN --mount=type=secret,id=ca ./atlas setup \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /usr/share/doc /usr/share/man /tmp/.cache \
 && chmod -R a+rwX .atlas build

COPY . .
RUN git config --system --add safe.directory /atlas \
 && mkdir -p .snakemake results \
 && chmod a+rwx . .snakemake results

HEALTHCHECK CMD ["./atlas", "--version"]
ENTRYPOINT ["./atlas"]
CMD ["help"]
