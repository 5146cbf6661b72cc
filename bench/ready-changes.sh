#!/usr/bin/env bash
# Makes the sealed examples of docs/changes: ten reviews of the embedded engine, each calibrated on its baseline alone,
# predicted and sealed. 33 minutes on two cores that were busy otherwise (load 12); a session is 16 s of slots.
#
#   bench/ready-changes.sh OUT [KIND...]      OUT must not exist; KINDs as of 'assay new --template', default all
#   bench/ready-changes.sh OUT --into-docs    copies the excerpts of an earlier run into docs/changes/*.md
#
# No candidate is started: a seal needs none. The engine has neither several devices nor drafts nor 8-bit keys; those
# forecasts carry its measured baseline to settings that are stated, with the local measurements of the template.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
kinds=(batch_cap token_budget page_size weight_quantization kv_quantization fused_epilogue prefix_caching
  tensor_parallel collective_path speculative_decoding)

# The engine's flags of either arm; a flag that it does not have is left out, as the candidate is never started.
flags() {
  case "$1/$2" in
    batch_cap/baseline) echo "--max-num-seqs 8" ;;
    batch_cap/candidate) echo "--max-num-seqs 32" ;;
    token_budget/baseline) echo "--max-num-batched-tokens 64" ;;
    page_size/baseline) echo "--block-size 64 --num-blocks 24" ;;
    page_size/candidate) echo "--block-size 16 --num-blocks 96" ;;
    weight_quantization/candidate) echo "--quantization q8_0" ;;
    kv_quantization/*) echo "--num-blocks 96" ;;
    prefix_caching/baseline) echo "--no-enable-prefix-caching" ;;
    *) echo "" ;;
  esac
}

review() {
  local kind=$1 dir=$2
  ./assay new "$dir" --template "$kind" \
    --baseline "\"\$ASSAY_HOME/assay\" engine --port {port} $(flags "$kind" baseline)" \
    --candidate "\"\$ASSAY_HOME/assay\" engine --port {port} $(flags "$kind" candidate)"
  sed -i -e 's/^load_points: .*/load_points: [1.5, 3, 5, 7]/' -e 's/^  load_points: \[8\]/  load_points: [7]/' \
    -e 's/^  slot_s: .*/  slot_s: 2.5/' -e 's/^  warmup_s: .*/  warmup_s: 1/' "$dir/review.yaml"
  case $kind in
    page_size) sed -i -e 's/block_size: 64,/block_size: 64, num_blocks: 24,/' \
      -e 's/block_size: 16,/block_size: 16, num_blocks: 96,/' "$dir/review.yaml" ;;
    kv_quantization) sed -i -e 's/kv: f16, num_blocks: 128/kv: f32, num_blocks: 96/' "$dir/review.yaml" ;;
  esac
  ./assay lint "$dir" | grep -v '^remark'
  ./assay predict "$dir" | grep -v '^written to' > "$dir/excerpt.txt"
  ./assay seal "$dir" | tee -a "$dir/excerpt.txt"
}

into_docs() {
  local kind page
  for kind in "${kinds[@]}"; do
    page=docs/changes/${kind//_/-}.md
    [ -f "$out/$kind/excerpt.txt" ] || continue
    awk -v excerpt="$out/$kind/excerpt.txt" '
      /^<!-- sealed:begin -->$/ { print; print ""; print "```text"
        while ((getline line < excerpt) > 0) print line
        print "```"; print ""; skip = 1 }
      /^<!-- sealed:end -->$/ { skip = 0 }
      !skip { print }' "$page" > "$out/page.md"
    cp "$out/page.md" "$page"
  done
}

if [ "${1:-}" = --into-docs ]; then
  into_docs
  exit
fi
[ ! -e "$out" ] || { echo "ready-changes.sh: $out exists; expected a new directory" >&2; exit 2; }
mkdir -p "$out"
[ $# -eq 0 ] || kinds=("$@")
for kind in "${kinds[@]}"; do
  echo "== $kind"
  review "$kind" "$out/$kind"
done
