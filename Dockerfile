# An image with nothing but the program:
#
#   docker build -t quevedo .
#   docker run -i quevedo            # UCI on standard input and output
#   docker run -i quevedo bench
FROM rust:1.95-bookworm AS build
WORKDIR /quevedo
COPY . .
ENV CARGO_PROFILE_RELEASE_DEBUG=none CARGO_PROFILE_RELEASE_STRIP=symbols
RUN case "$(uname -m)" in x86_64) cpu=x86-64-v2;; *) cpu=generic;; esac && \
    triple="$(uname -m)-unknown-linux-gnu" && \
    RUSTFLAGS="-C target-cpu=$cpu -C target-feature=+crt-static" \
        cargo build --release --locked --bin quevedo --target "$triple" && \
    cp "target/$triple/release/quevedo" /quevedo-static

FROM scratch
COPY --from=build /quevedo-static /quevedo
ENTRYPOINT ["/quevedo"]
