#!/usr/bin/env python3
"""TTFT as each load generator reports it beside the server's own, in ms: peers_ttft.py FOLDER...

Reads what bench/peers.sh left: a folder a run, with the server's log truth.csv (arrival, first token, end in ns) and
the tool's own result. Medians over the rounds.
"""
import glob, json, os, statistics, sys


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def reported(folder):
    """(p50, p99) in ms from whichever result the folder holds, else None."""
    def load(pattern):
        found = glob.glob(os.path.join(folder, pattern), recursive=True)
        return json.load(open(found[0])) if found else None

    r = load("out/summary.json") or load("floor.json")
    if r:
        return r["ttft_ms"]["p50"], r["ttft_ms"]["p99"]
    r = load("**/profile_export_aiperf.json")
    if r:
        return r["time_to_first_token"]["p50"], r["time_to_first_token"]["p99"]
    r = load("**/summary_lifecycle_metrics.json")
    if r:
        t = r["successes"]["latency"]["time_to_first_token"]
        return t["median"] * 1e3, t["p99"] * 1e3
    r = load("r.json")
    if r and "benchmarks" in r:
        t = r["benchmarks"][0]["metrics"]["time_to_first_token_ms"]["successful"]["percentiles"]
        return t["p50"], t["p99"]
    if r:
        return r["p50_ttft_ms"], r["p99_ttft_ms"]
    return None


rows = {}
for folder in sorted(f for root in sys.argv[1:] for f in glob.glob(os.path.join(root, "*-*-*"))):
    lines = [list(map(int, l.split(",")[:4])) for l in open(os.path.join(folder, "truth.csv")) if l.count(",") >= 3]
    client = reported(folder)
    if not lines or client is None:
        continue
    own = [(first - arrival) / 1e6 for arrival, first, _, _ in lines]
    bare = os.path.exists(os.path.join(folder, "floor.json"))
    name = "floor" if bare else os.path.basename(folder).rsplit("-", 2)[0]
    rows.setdefault(name, []).append((*client, quantile(own, .5), quantile(own, .99)))
print(f"{'tool':16}{'p50':>9}{'p99':>9}{'server p50':>12}{'server p99':>12}{'error p50':>11}{'error p99':>11}")
for tool, runs in rows.items():
    c50, c99, s50, s99 = (statistics.median(r[i] for r in runs) for i in range(4))
    print(f"{tool:16}{c50:9.2f}{c99:9.2f}{s50:12.2f}{s99:12.2f}{c50 - s50:11.2f}{c99 - s99:11.2f}")
