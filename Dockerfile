# Builds the one static binary and an image that holds nothing else. It was
# written without a container engine at hand: CI does not build it yet.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make build && mkdir /data && chmod 700 /data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/bin/formgraph /formgraph
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
VOLUME /data
EXPOSE 8080 8081 8082
ENV FORMGRAPH_DATA=/data
ENTRYPOINT ["/formgraph"]
CMD ["serve"]
