#!/usr/bin/env bash
# The load generator by HTTP/1.1 and by HTTP/2 at one Go server that speaks both: CPU per token event and per request
# without start-up, and TTFT against the server's own. Prints what bench/results/http2.txt holds.
#
#   bench/http2.sh ROOT TOOLS [ROUNDS] [CASES]
#
# ROOT gets the server, TOOLS is the folder with peers.py and nullserver/. CASES: paced requests open. Needs Go 1.24, a
# quiet machine and some four minutes a round.
set -euo pipefail
root=$(mkdir -p "$1" && cd "$1" && pwd) tools=$(cd "$2" && pwd) rounds=${3:-3} cases=${4:-paced requests open}
cd "$(dirname "$0")/.."
mkdir -p "$root/src"
sed 's/^go 1\..*/go 1.24/' "$tools/nullserver/go.mod" >"$root/src/go.mod"
both='ways := new(http.Protocols); ways.SetHTTP1(true); ways.SetUnencryptedHTTP2(true)
	log.Fatal((\&http.Server{Addr: *addr, Protocols: ways}).ListenAndServe())'
sed "s|log.Fatal(http.ListenAndServe(\*addr, nil))|${both//$'\n'/\\n}|" "$tools/nullserver/main.go" >"$root/src/main.go"
(cd "$root/src" && go build -o "$root/nullserver" .)

echo "# $(./assay --version), $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(date -u +%F), rounds: $rounds"
for case in $cases; do
  load='--concurrency {conc}'
  [ "$case" != open ] || load='--rate {rate}'
  echo
  echo "## $case"
  for round in $(seq "$rounds"); do
    for way in '' --http2; do
      table=$(python3 "$tools/peers.py" --root "$root" --case "$case" --rounds 1 --only assay --assay "$PWD/assay load \
        --url {url} --model null --api chat $way $load --requests {n} --input-tokens 16 --output-tokens {tok} \
        --out {dir}/out" 2>>"$root/log")
      [ "$round$way" != 1 ] || sed -n 's/^tool  /way   /p' <<<"$table"
      sed -n "s/^assay    /${way:-http1.1}${way:+  }  /p" <<<"$table"
      [ "$case" != open ] || python3 bench/peers_ttft.py "$root/out-open" | sed -n 's/^assay/TTFT:/p'
    done
  done
done
