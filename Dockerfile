# TCP Atlas with all that it needs; docs/in-a-container.md says how to build and use it.
# Debian 12 of 18 September 2026, for every architecture; docs/in-a-container.md says how to take another.
ARG BASE=debian@sha256:f37a335e82bca302e955fa39f9dfe28f1be618f016f8a2b56318e5a5111afc26
FROM ${BASE}
# ./atlas image hands in that of CITATION.cff.
ARG VERSION=unknown
LABEL org.opencontainers.image.title="TCP Atlas" \
      org.opencontainers.image.description="Five classic papers on TCP performance, reproduced and checked" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="MIT AND GPL-2.0-only"
# Where pip finds the certificates of an authority of one's own, handed in as the secret `ca`.
ARG PIP_CERT
# Any user may run the image: one without a name, or a home, on the machine, too.
ENV HOME=/tmp LOGNAME=atlas
WORKDIR /atlas

# dpkg need not wait for the disk, because a build that is interrupted begins anew; nobody reads manuals here; and of all the
# formats of TeX that the packages would build, pdflatex is the one that is used.
RUN printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-include=/usr/share/doc/*/copyright' \
      'path-exclude=/usr/share/locale/*' 'path-exclude=/usr/share/man/*' 'path-exclude=/usr/share/texmf/doc/*' \
      >/etc/dpkg/dpkg.cfg.d/tcp-atlas \
 && mkdir -p /etc/texmf/web2c \
 && printf '#! %s - x\n' >/etc/texmf/web2c/fmtutil.cnf 'amstex pdftex' 'dvilualatex luatex' 'dvilualatex-dev luatex' \
      'dviluatex luatex' 'etex pdftex' 'latex pdftex' 'latex-dev pdftex' 'luahbtex luahbtex' 'lualatex luahbtex' \
      'lualatex-dev luahbtex' 'luatex luatex' 'mf mf-nowin' 'mptopdf pdftex' 'pdfetex pdftex' 'pdflatex-dev pdftex' \
      'pdftex pdftex' 'tex tex'

# What setup needs comes first, so that a change of anything else does not install everything again.
COPY atlas CITATION.cff ./
COPY envs envs
COPY workflow/engines workflow/engines
# --without-linux: without the engine linux, and the minutes that its kernel takes.
ARG SETUP=""
RUN --mount=type=secret,id=ca ./atlas setup $SETUP \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /tmp/.cache build/ccache \
 && chmod -R a+rwX .atlas build

COPY . .
RUN git config --system --add safe.directory /atlas \
 && mkdir -p .snakemake results \
 && chmod a+rwx . .snakemake results

# A job that Snakemake runs in the image says `python`, and means the one that has the packages.
ENV PATH=/atlas/.venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
HEALTHCHECK CMD ["./atlas", "--version"]
ENTRYPOINT ["./atlas"]
CMD ["help"]
