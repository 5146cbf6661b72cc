#!/usr/bin/env bash
# Assay's load generator beside the peers' at one null server that none of them wrote: CPU per token event and per
# request without start-up, throughput, and TTFT against the server's own. Prints what bench/results/peers.txt holds.
#
#   bench/peers.sh ROOT TOOLS [ROUNDS] [CASES]
#
# ROOT gets a virtual environment a tool (some 8 GB; made on first use), TOOLS is the folder with peers.py, nullserver/ and
# vllm_cpu.sh (shared/tools of the project's workplace). CASES: paced requests events open. Needs Go, a C compiler, Python 3.12
# and a quiet machine: with three rounds it takes an hour and a half on two cores.
set -euo pipefail
root=$(mkdir -p "$1" && cd "$1" && pwd) tools=$(cd "$2" && pwd) rounds=${3:-3} cases=${4:-paced requests events open}
cd "$(dirname "$0")/.."
python=$(ls -d "$HOME"/.pyenv/versions/3.12.*/bin/python3 2>/dev/null | head -1 || true)
python=${python:-python3.12}
for tool in aiperf==0.13.0 guidellm==0.8.1 inference-perf==0.7.0; do
  venv=$root/v-${tool%%==*}
  [ -d "$venv" ] || { "$python" -m venv "$venv" && "$venv/bin/pip" -q install "$tool"; }
done
[ -e "$root/v-vllm" ] || bash "$tools/vllm_cpu.sh" install "$root/v-vllm"
[ -d "$root/tok" ] || bash "$tools/vllm_cpu.sh" model "$root/v-vllm" "$root/tok"
# What any client costs and adds on this machine: a bare loop in C.
cc -O2 -o "$root/floor" bench/floor.c -lm
[ -x "$root/nullserver" ] || (cp -r "$tools/nullserver" "$root/nullserver-src" && cd "$root/nullserver-src" && go build -o "$root/nullserver" .)

mkdir -p "$root/alone"
ln -sf "$root/nullserver" "$root/alone/nullserver"
# CASE FOLDER ONLY COMMAND: peers.py with a command of ours in the place of `assay`
peers() {
  python3 "$tools/peers.py" --root "$2" --case "$1" --rounds "$rounds" --only "$3" --assay "$4"
}

echo "# $(./assay --version), $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(date -u +%F), rounds: $rounds"
for venv in "$root"/v-*; do
  name=$(basename "$venv" | cut -c3-)
  echo "# $name $("$venv/bin/pip" list 2>/dev/null | awk -v n="$name" 'tolower($1) == n || (n == "vllm" && $1 == "vllm-cpu") {print $2; exit}')"
done
for case in $cases; do
  load='--concurrency {conc}'
  [ "$case" != open ] || load='--rate {rate}'
  echo
  echo "## $case"
  echo "# load average before: $(cut -d' ' -f1-3 /proc/loadavg)"
  peers "$case" "$root" "" "$PWD/assay load --url {url} --model null --api chat $load --requests {n} --input-tokens 16 \
    --output-tokens {tok} --out {dir}/out" 2>"$root/$case.log"
  peers "$case" "$root/alone" assay "$root/floor 9911 {conc} {rate} {n} {tok} {dir}" 2>>"$root/$case.log" |
    sed -n 's/^assay  /floor  /p'
  [ "$case" != open ] || python3 bench/peers_ttft.py "$root/out-open" "$root/alone/out-open"
done
