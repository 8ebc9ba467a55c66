#!/usr/bin/env bash
# Builds the npm package into dist/ from web/ and from both wasm modules in build/; leaves the page in dist/ alone.
set -euo pipefail
cd "$(dirname "$0")/.."

for build in simd base; do
  if [[ ! -e build/wasm-$build/addnorm_wasm.wasm ]]; then
    echo "build-lib: build/wasm-$build/addnorm_wasm.wasm is missing; scripts/build makes it" >&2
    exit 1
  fi
done

mkdir -p dist
find dist -mindepth 1 -maxdepth 1 ! -name site ! -name addnorm-playground.html -exec rm -rf {} +
node_modules/.bin/vite build -c web/vite.lib.config.ts
mkdir dist/wasm
for build in simd base; do cp "build/wasm-$build/addnorm_wasm.wasm" "dist/wasm/addnorm-$build.wasm"; done
chmod 644 dist/wasm/*
node_modules/.bin/tsc -p web/tsconfig.types.json
# What the entry's own types do not name.
find dist/types -mindepth 2 \( -path '*/elements/*' ! -name index.d.ts -o -path '*/state/*' ! -name schema.d.ts ! -name kinds.d.ts ! -name depth-variants.d.ts -o -path '*/locales/*' \) -type f -delete
find dist/types -type d -empty -delete
