#!/usr/bin/env bash
# An hour (or SECONDS) of load at half of this machine's ceiling against the null server; prints the client's resident
# memory every half minute, then what the run said.
#
#   bench/soak.sh [SECONDS] [STREAMS] [ITL_MS] [TOKENS]
#
# Half the ceiling: STREAMS / ITL_MS x 1000 is the number of token events a second, half of what `assay load --self-test`
# shows for events that arrive one by one.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-3600} streams=${2:-1000} itl=${3:-57} tokens=${4:-16}
dir=$(mktemp -d)
./assay null-server --port 9931 >"$dir/server.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$dir"' EXIT
sleep 2
echo "# $(./assay --version), $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(date -u +%F)"
echo "# $streams streams, a token each $itl ms, $tokens tokens a request, $seconds s, every request written to the disk"
./assay load --url http://127.0.0.1:9931 --model null --api chat --concurrency "$streams" --duration "$seconds" \
  --input-tokens 16 --output-tokens "$tokens" --extra-body "{\"null_itl_us\":${itl}000}" --out "$dir/run" >"$dir/report" 2>&1 &
client=$!
began=$SECONDS
echo "seconds  resident MiB"
while kill -0 $client 2>/dev/null; do
  sleep 30
  kib=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$client/status" 2>/dev/null || true)
  [ -z "$kib" ] || printf '%7d  %6d\n' $((SECONDS - began)) $((kib / 1024))
done
wait $client && rc=0 || rc=$?
cat "$dir/report"
echo "exit $rc; $(ls "$dir/run/requests" 2>/dev/null | wc -l) parts, $(du -sm "$dir/run" | cut -f1) MB on disk"
