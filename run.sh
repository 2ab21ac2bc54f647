#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
usage='usage: ./run.sh [FILE.pcap]

Installs what is missing, builds, and shows Penstock at work on the host device (no GPU, no sensor
needed): a synthetic lidar, a 4K camera and an IMU send for 10 seconds, or FILE is played at the pace
at which it was recorded. Ends with the books and with pictures in out/report.

  PENSTOCK_SECONDS=10   how long the synthetic rig sends
  PENSTOCK_LIDAR_PORT=2368   UDP port of the lidar packets in FILE'
case "${1:-}" in
  -h | --help) echo "$usage"; exit 0 ;;
  -*) echo "$usage" >&2; exit 2 ;;
esac
capture="${1:+$(realpath -- "$1")}"
cd "$(dirname "$0")"
seconds="${PENSTOCK_SECONDS:-10}"
if [[ -n "$capture" && ! -f "$capture" ]]; then
  echo "run.sh: there is no file $capture" >&2
  exit 2
fi

tools/install-deps
source tools/environment
echo "building (a few minutes the first time)"
cmake --preset release >build-cmake.log 2>&1 || { cat build-cmake.log >&2; exit 1; }
grep 'left out' build-cmake.log || true
rm -f build-cmake.log
cmake --build build/release --target penstock penstock-load | tail -1

rm -rf out/report
mkdir -p out
serve=(build/release/penstock serve --report out/report --summary out/summary.json --log-level warning)
if [[ -n "$capture" ]]; then
  sed "s/port: 2368/port: ${PENSTOCK_LIDAR_PORT:-2368}/" deploy/examples/replay.yaml >out/replay.yaml
  "${serve[@]}" -c out/replay.yaml --replay "$capture" --pace recorded
else
  "${serve[@]}" -c deploy/examples/demo.yaml &
  server=$!
  trap 'kill -TERM $server 2>/dev/null; wait $server || true' EXIT
  for _ in $(seq 100); do  # until it listens, or has ended with the reason
    if (exec 3<>/dev/tcp/127.0.0.1/7470) 2>/dev/null || ! kill -0 $server 2>/dev/null; then break; fi
    sleep 0.1
  done
  sent=0
  build/release/penstock-load --to 127.0.0.1:7470 --rig deploy/examples/rigs/demo.yaml \
    --duration "$seconds" --report out/client.json >out/client.log 2>&1 || sent=$?
  sleep 0.5  # the last scan ends with the silence behind it
  kill -TERM $server 2>/dev/null || true
  trap - EXIT
  wait $server
  echo
  echo "what the client says of it:"
  cat out/client.log
  if ((sent)); then exit 1; fi
fi
echo
echo "to look at:"
find out/report -type f | sort | sed 's/^/  /'
