#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
# ./test.sh         everything: unit, contract, integration; the house's checks; the suites again under
#                   AddressSanitizer + UBSan and ThreadSanitizer; 30 s of fuzzing a parser; containers
# ./test.sh quick   unit, contract and integration in one build
# Ends with ctest's summary; a skipped test says why in its output.
set -euo pipefail
cd "$(dirname "$0")"
tools/install-deps --tests
source tools/environment

build() {  # PRESET [cmake option...]
  local preset=$1
  shift
  echo "building $preset"
  cmake --preset "$preset" "$@" >"build-$preset.log" 2>&1 &&
    cmake --build "build/$preset" >>"build-$preset.log" 2>&1 || { tail -50 "build-$preset.log"; exit 1; }
  grep 'left out' "build-$preset.log" || true
  rm -f "build-$preset.log"
}

suites=OFF
if [[ "${1:-}" != quick ]]; then
  suites=ON
  for preset in asan tsan fuzz; do build "$preset"; done
fi
build dev -DPENSTOCK_SUITES=$suites
ctest --test-dir build/dev --output-on-failure -j2
