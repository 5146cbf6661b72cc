#!/usr/bin/env bash
# How near the twin comes to the embedded engine: reviews the demo's changes and two page sizes, each from the first step to
# the last; then prints |forecast/observed - 1| of the sealed forecasts (whose arrivals were drawn anew) and |twin/observed - 1|
# of every slot replayed with its own arrivals, of TPOT, TTFT and goodput over all load points.
#
#   bench/twin-accuracy.sh [DIR] [--quick] [--blocks N] [--change NAME]... [--seed N]
#
# DIR: where the reviews are written (default: a new reviews/twin-accuracy). A change whose review is there already and
# decided is not measured again, so that an interrupted run goes on. --blocks: of each review (default 2: levels need
# fewer than the ratios that six decide); --quick: two short ones. Nothing else should run on the machine: the five
# changes take about half an hour on 2 cores.
# Exits with 0 when the replays meet every goal in the median, with 1 otherwise.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
dir=$home/reviews/twin-accuracy quick=() changes=() seed=1 blocks=2
while [ $# -gt 0 ]; do
  case $1 in
  --quick) quick=(--quick) && shift ;;
  --blocks) blocks=$2 && shift 2 ;;
  --change) changes+=("$2") && shift 2 ;;
  --seed) seed=$2 && shift 2 ;;
  --help | -h) sed -n '2,12s/^# \{0,1\}//p' "$0" && exit 0 ;;
  -*) echo "twin-accuracy.sh: unknown option $1" >&2 && exit 2 ;;
  *) dir=$1 && shift ;;
  esac
done
[ ${#changes[@]} -gt 0 ] || changes=(batch-cap-8-to-32 batch-cap-2-to-8 weights-q8 page-size-16-to-32 page-size-16-to-64)
mkdir -p "$dir"
for change in "${changes[@]}"; do
  if [ -f "$dir/$change/record.md" ] && "$home/assay" verify "$dir/$change" >/dev/null; then
    echo "$change: reviewed already" >&2
    continue
  fi
  if [ -e "$dir/$change" ]; then
    echo "twin-accuracy.sh: $dir/$change is not a finished review; remove it to measure that change anew" >&2
    exit 2
  fi
  # Without a ledger: the model's own intervals are what is judged.
  "$home/assay" demo --change "$change" "${quick[@]}" --blocks "$blocks" --seed "$seed" --out "$dir/$change" --ledger none --no-open
done
"$home/assay" ledger "$dir" --levels
echo
all=$(printf ",$dir/%s" "${changes[@]}")
"$home/assay" twin --slots "${all#,}"
