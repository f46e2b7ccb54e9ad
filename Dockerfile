# Builds one static binary and an image that holds nothing else:
#
#   docker build --build-arg VERSION=$(git describe --always --tags) --build-arg COMMIT=$(git rev-parse HEAD) -t formgraph .
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
# Modules are downloaded again only after a change of these two files.
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
# Folders by name: neither .git nor local data enter the build.
COPY Makefile LICENSE ./
COPY model model
COPY web web
COPY app app
COPY server server
ARG VERSION=dev
ARG COMMIT=
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build --mount=type=cache,target=/src/bin/packed \
    make release VERSION="$VERSION" COMMIT="$COMMIT" && install -d -m 700 /empty/data /empty/keys

FROM scratch
ARG VERSION=dev
ARG COMMIT=
LABEL org.opencontainers.image.title="Formgraph" \
      org.opencontainers.image.description="A visual editor for forms that are graphs" \
      org.opencontainers.image.source="https://github.com/formgraph/formgraph" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/LICENSE /LICENSE
COPY --from=build /src/bin/formgraph /formgraph
# New volumes take the owner and the mode of these folders. /keys is for a volume that replicas share.
COPY --from=build --chown=65532:65532 /empty/ /
USER 65532:65532
VOLUME /data
EXPOSE 8080 8081 8082
ENV FORMGRAPH_DATA=/data FORMGRAPH_LISTEN=:8080 FORMGRAPH_TENANT_LISTEN=:8081 FORMGRAPH_SAMPLE_LISTEN=:8082
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/formgraph", "health"]
ENTRYPOINT ["/formgraph"]
CMD ["serve"]
