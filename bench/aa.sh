#!/usr/bin/env bash
# A/A: N complete reviews of a server against itself, by the real command line, each with its own seed.
#
#   bench/aa.sh [-n REVIEWS] [-f FIRST_SEED] [-j LANES] [-b BLOCKS] [-s SLOT_SECONDS] [-t MINUTES] [-o DIR]
#
# Both arms are one and the same running engine under one URL, so every difference that is called is a false alarm. The
# settings that the forecast is told differ (batch cap 64 or 128, as `assay lint` refuses equal ones) but no load reaches
# either cap. LANES reviews run beside each other, each with an engine of its own, with all the noise that this makes.
#
# What calls a difference in Assay (review/Verdicts, review/Comparison):
#   metric     the joint interval of its ratio (95 % over all load points together, Bonferroni) leaves out 1 at any load
#              point. The family is one metric over all load points: at most 5 % of the reviews. This is what decides
#              objectives and forecast intervals, and what the record prints.
#   claim      a claim that takes such an interval for an effect: an objective or a forecast interval without 1 that
#              survived, a forecast interval with 1 (no change) that is refuted, a constraint that is refuted. Each claim
#              is a family of its own: at most 5 % of the reviews for each.
#   review     any decisive claim that calls a difference, and a recommendation to ship: at most 5 % of the reviews.
# The 95 % interval of one load point is counted too, per interval; it decides nothing. A metric counts where a load point
# has the six complete blocks without which no ratio is decided. P is the binomial P(X >= x | n, 5 %): below 1 % the share
# is above the nominal one beyond chance, and the script exits with 1. Needs python3 for the table.
set -euo pipefail
cd "$(dirname "$0")/.."
# The commands of a review: an optimising compiler would take more of the machine than it gives back.
# Ahead of what else the machine does where that is permitted, else the gate leaves out the slots in which the client was late.
ahead=() server=()
if nice -n -15 true 2>/dev/null; then
  ahead=(nice -n -15) server=(nice -n -5)
  { echo -10 >"/proc/$$/autogroup"; } 2>/dev/null || true
fi
review() { ASSAY_JAVA_OPTS=-XX:TieredStopAtLevel=1 ${ahead[@]+"${ahead[@]}"} ./assay "$@"; }
reviews=30 first=1 lanes=3 blocks=6 slot=0.6 keep= minutes=600
while getopts n:f:j:b:s:t:o: option; do
  case $option in
  n) reviews=$OPTARG ;;
  f) first=$OPTARG ;;
  j) lanes=$OPTARG ;;
  b) blocks=$OPTARG ;;
  s) slot=$OPTARG ;;
  t) minutes=$OPTARG ;;
  o) keep=$OPTARG ;;
  *) exit 2 ;;
  esac
done
work=$(mktemp -d)
[ -z "$keep" ] || mkdir -p "$keep"
pids=()
finish() {
  for pid in "${pids[@]}"; do kill -- -"$pid" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap finish EXIT

proposal() { # seed port
  cat <<YAML
assay: 1
title: A server against itself
change: batch_cap
decision: Does Assay see a change where there is none?
owner: bench@example.org
scope: this machine
layers: [serving]
explanation: Nothing changes, both arms are one server.
objective: {metric: goodput_rps, load_points: [26], min_effect: 1.001}
constraints: [{metric: tpot_p50_ms, margin: 0.1, load_points: [20, 22, 24, 26]}]
outputs: {exact: true, prompts: 2, tokens: 8}
model: {name: assay-18m, shape_from: model/assay-18m-bf16.gguf}
workload: {input_tokens: "uniform:8,12", output_tokens: "uniform:3,4"}
load_points: [20, 22, 24, 26]
slo: {ttft_ms: 200, tpot_ms: 80}
arms:
  baseline:
    url: "http://127.0.0.1:$2"
    settings: {max_num_seqs: 64, max_num_batched_tokens: 256, block_size: 16, weights: q8_0, kv: f32}
  candidate:
    url: "http://127.0.0.1:$2"
    settings: {max_num_seqs: 128, max_num_batched_tokens: 256, block_size: 16, weights: q8_0, kv: f32}
measure: {blocks: $blocks, slot_s: $slot, warmup_s: 0.5, calibration_sessions: 2, seed: $1}
telemetry: [TTFT p95]
rollback: {trigger: none, how: none}
YAML
}

lane() { # number port: every LANES-th seed
  local seed dir rc
  for ((seed = first + $1 - 1; seed < first + reviews; seed += lanes)); do
    [ $SECONDS -lt $((minutes * 60)) ] || break
    dir=$work/review-$seed
    proposal "$seed" "$2" >"$work/$seed.yaml"
    {
      review new "$dir" --from "$work/$seed.yaml" && review predict "$dir" && review seal "$dir"
    } >"$work/$seed.log" 2>&1 || { echo "review $seed: $(tail -n 1 "$work/$seed.log")" && continue; }
    review measure "$dir" >>"$work/$seed.log" 2>&1 && rc=0 || rc=$?
    review show "$dir" --json >"$work/$seed.json" || { echo "review $seed: exit $rc, no result" && continue; }
    python3 bench/aa.py "$work/$seed.json"
    [ -z "$keep" ] || cp "$work/$seed.json" "$work/$seed.log" "$keep"
    rm -rf "$dir"
  done
}

echo "# bench/aa.sh -n $reviews -f $first -j $lanes -b $blocks -s $slot"
echo "# $(./assay --version), $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), Linux $(uname -r), $(date -u +%FT%H:%MZ), load average before: $(cut -d' ' -f1 /proc/loadavg)"
set -m # each in its own process group
for ((i = 1; i <= lanes; i++)); do
  port=$((19400 + i))
  ${server[@]+"${server[@]}"} ./assay engine --port "$port" --threads 1 --quantization q8_0 --max-num-seqs 64 --no-enable-prefix-caching >"$work/engine-$i.log" 2>&1 &
  pids+=($!)
  for _ in $(seq 100); do
    curl -fs "http://127.0.0.1:$port/health" >/dev/null 2>&1 && continue 2
    sleep 0.2
  done
  echo "aa.sh: the engine on port $port did not come up: $(tail -n 1 "$work/engine-$i.log")" >&2
  exit 4
done
runs=()
for ((i = 1; i <= lanes; i++)); do
  lane "$i" $((19400 + i)) &
  runs+=($!)
  pids+=($!)
done
wait "${runs[@]}"
python3 bench/aa.py "$work"/*.json
