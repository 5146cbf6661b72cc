#!/usr/bin/env bash
# Makes the caches of loaded classes, one for each set of flags that the launcher has, by a short run each: so they are
# made with the JDK and the flags that they will be used with. A failure costs start-up time and nothing else.
#
#   class-caches.sh HOME SCRATCH
set -uo pipefail
launcher=$1/assay
scratch=$2
export XDG_CACHE_HOME=$scratch ASSAY_IN_BUILD=yes
mkdir -p "$scratch"
# The line of an earlier build would be read before this one's server has written its own.
: >"$scratch/server"
"$launcher" null-server --port 0 >"$scratch/server" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
for _ in {1..100}; do
  read -r listening <"$scratch/server" && break
  sleep 0.1
done
ASSAY_MAKE_CACHE=yes "$launcher" load --url "http://${listening##*http://}" --model null --requests 300 --rate 300 \
  --input-tokens 16 --output-tokens 8 --out "$scratch/load"
ASSAY_MAKE_CACHE=yes "$launcher" engine --help
