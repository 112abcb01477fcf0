# Landfall in a container: built with the official Swift image, run on a slim one without Swift.
#
#   docker build -t landfall .
#   docker run -p 8080:8080 -v landfall:/var/lib/landfall -e LANDFALL_TOKEN=… \
#     --read-only --tmpfs /tmp landfall
#
# Config/compose.yaml has the same with a health check and a secret; Config/compose.scale.yaml has two
# of them with a database and a load balancer.

FROM swift:6.3-bookworm AS build
WORKDIR /src
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libcurl4-openssl-dev libpq-dev libssl-dev zlib1g-dev libsqlite3-dev libqrencode-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
# Dependencies are fetched in a layer of their own, which lasts until the manifest changes.
COPY Package.swift ./
RUN swift package resolve
COPY Sources ./Sources
COPY Tests ./Tests
COPY Config/landfall.profdata ./Config/
# As `make build` does it.
RUN swift build -c release --static-swift-stdlib --product landfall \
    -Xswiftc -Xllvm -Xswiftc -static-func-strip-dirname-prefix=99 \
    -Xswiftc -Xfrontend -Xswiftc -ir-profile-use=Config/landfall.profdata
COPY Config ./Config
COPY public ./public
COPY Documentation ./Documentation
# The program is stripped here.
RUN LANDFALL_BIN="$(swift build -c release --static-swift-stdlib --show-bin-path)/landfall" \
    PREFIX=/usr DESTDIR=/out Config/packaging/install

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libcurl4 libpq5 libqrencode4 libsqlite3-0 libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 landfall \
    && useradd --uid 10001 --gid 10001 --home-dir /var/lib/landfall --no-create-home landfall \
    && install --directory --owner landfall --group landfall --mode 750 /var/lib/landfall
COPY --from=build /out /
# Reachable from outside, so results are shown only to clients with the token: set LANDFALL_TOKEN or
# LANDFALL_TOKEN_FILE, or read the generated one in the container's output.
ENV LANDFALL_CONFIG=/etc/landfall/landfall.yaml LANDFALL_HOST=0.0.0.0 LANDFALL_LOG_FORMAT=json
# By number: Kubernetes checks runAsNonRoot without looking up names.
USER 10001:10001
VOLUME /var/lib/landfall
EXPOSE 8080 8443
HEALTHCHECK --interval=30s --timeout=4s --start-period=10s CMD ["/usr/bin/landfall", "health"]
ENTRYPOINT ["/usr/bin/landfall"]
CMD ["serve"]
