"""Counts, over the reviews of bench/aa.sh, which called a difference. One file: its line. Several: the table."""
import json
import math
import sys

ALPHA = 0.05
BLOCKS = 6  # fewer complete blocks decide no ratio
CLIENT = ("goodput_rps", "good_fraction", "ttft_p50_ms", "ttft_p95_ms", "tpot_p50_ms", "tpot_p95_ms", "e2e_p50_ms",
          "output_tokens_per_s")


def tail(hits, n):
    """P(X >= hits | n, ALPHA)."""
    return sum(math.comb(n, i) * ALPHA**i * (1 - ALPHA) ** (n - i) for i in range(hits, n + 1))


def outside(low, high):
    return low is not None and not low <= 1 <= high


def metrics(view):
    """For each metric: [(load point, joint interval leaves out 1, plain interval leaves out 1)] where it is decidable."""
    found = {}
    for point in view["analysis"]["points"]:
        for metric in point["metrics"]:
            ratio = metric.get("ratio")
            # A ratio that is the same in every block by construction (bytes of the weights) could call nothing.
            if ratio and ratio["blocks"] >= BLOCKS and ratio.get("low", 1) != ratio.get("high", 1):
                found.setdefault(metric["metric"], []).append(
                    (point["offered_rps"], outside(ratio.get("joint_low"), ratio.get("joint_high")),
                     outside(ratio.get("low"), ratio.get("high")), ratio["ratio"]))
    return found


def calls(claim):
    """Whether the verdict takes a difference for real (see bench/aa.sh)."""
    expected, kind = claim["claim"]["expectation"], claim["verdict"]["kind"]
    if expected["kind"] == "within":
        same = any(b["low"] <= 1 <= b["high"] for b in expected["bands"])
        return kind == ("refuted" if same else "survived")
    return kind == {"at_least": "survived", "not_worse": "refuted", "same_outputs": "refuted"}.get(expected["kind"])


def void(view):
    """Slots left out, by the check that failed."""
    reasons = {}
    for slot in view["slots"]:
        for check in slot["summary"]["validity"]:
            if check["status"] == "fail":
                reasons[check["check"]] = reasons.get(check["check"], 0) + 1
                break
    return reasons


def ratio_claims(view):
    return [c for c in view["analysis"]["claims"] if c["claim"]["expectation"]["kind"] in
            ("within", "at_least", "not_worse")]


def line(view):
    analysis = view["analysis"]
    kinds = [c["verdict"]["kind"] for c in ratio_claims(view)]
    called = [m for m, points in metrics(view).items() if any(p[1] for p in points)]
    claims = [c["claim"]["id"] for c in analysis["claims"] if calls(c)]
    left_out = sum(void(view).values())
    return ("seed %2d  blocks %s  left out %2d of %d slots (%s)  %-6s claims: %s; metrics called: %s; claims calling: %s" % (
        view["proposal"]["measure"]["seed"], "/".join(str(p["blocks"]) for p in analysis["points"]), left_out,
        len(view["slots"]), ", ".join("%s %d" % r for r in sorted(void(view).items())) or "-",
        analysis["recommendation"]["decision"],
        ", ".join("%d %s" % (kinds.count(k), k) for k in ("survived", "refuted", "inconclusive", "void") if k in kinds),
        ", ".join(called) or "none", ", ".join(claims) or "none"))


def share(name, hits, n):
    return "%-22s %4d of %4d  %5.1f %%   P %.3f" % (name, hits, n, 100 * hits / n, tail(hits, n)) if n else \
        "%-22s no review could decide it" % name


def table(views):
    bad = 0
    rows = [metrics(v) for v in views]
    names = sorted({m for r in rows for m in r}, key=lambda m: (m not in CLIENT, m))
    print("\n%d reviews. Nominal share: 5 %%. P = P(X >= x | n, 5 %%)." % len(views))
    print("\nReviews in which the joint interval of a metric leaves out 1 at any load point (family: the load points):")
    for name in names:
        seen = [r[name] for r in rows if name in r]
        hits = sum(any(p[1] for p in points) for points in seen)
        points = [p for s in seen for p in s]
        mean = math.exp(sum(math.log(p[3]) for p in points) / len(points))
        print("  %s   of single 95 %% intervals %d of %d; mean ratio %.3f"
              % (share(name, hits, len(seen)), sum(p[2] for p in points), len(points), mean))
        bad += tail(hits, len(seen)) < 0.01
    print("\nReviews in which a claim takes a difference for real (family: the claim):")
    ids = {c["claim"]["id"]: None for v in views for c in ratio_claims(v)}
    for name in ids:
        of = [c for v in views for c in ratio_claims(v) if c["claim"]["id"] == name]
        kinds = [c["verdict"]["kind"] for c in of]
        hits = sum(calls(c) for c in of)
        print("  %s   %s" % (share(name, hits, len(of)), ", ".join("%d %s" % (kinds.count(k), k) for k in
              ("survived", "refuted", "inconclusive", "void") if k in kinds)))
        bad += tail(hits, len(of)) < 0.01
    print("\nWhole reviews:")
    decisive = sum(any(calls(c) for c in v["analysis"]["claims"] if c["claim"]["decisive"]) for v in views)
    ship = sum(v["analysis"]["recommendation"]["decision"] == "ship" for v in views)
    for name, hits in (("a decisive claim calls", decisive), ("recommended to ship", ship)):
        print("  " + share(name, hits, len(views)))
        bad += tail(hits, len(views)) < 0.01
    some = sum(any(calls(c) for c in v["analysis"]["claims"]) for v in views)
    print("  " + share("any claim calls", some, len(views)) + "   (several families: may exceed 5 %)")
    every = [v for v, r in zip(views, rows) if r]
    anything = sum(any(p[1] for points in metrics(v).values() for p in points) for v in every)
    print("  " + share("any of all metrics", anything, len(every)) + "   (%d families: may exceed 5 %%)" % len(names))
    why = {}
    for v in views:
        for c in ratio_claims(v):
            if c["verdict"]["kind"] in ("inconclusive", "void"):
                reason = c["verdict"].get("reason") or c["verdict"].get("premise", "")
                reason = reason.split("s: ", 1)[-1]
                for known in ("untestable", "too wide", "cannot be told from no change", "the bound is", "allows both",
                              "zero", "path could make"):
                    if known in reason:
                        reason = known
                why[reason] = why.get(reason, 0) + 1
    print("\nClaims not decided, by reason: " + ("; ".join("%s: %d" % r for r in sorted(why.items(), key=lambda r: -r[1]))
                                              or "none"))
    slots = sum(len(v["slots"]) for v in views)
    left_out = {}
    for v in views:
        for k, n in void(v).items():
            left_out[k] = left_out.get(k, 0) + n
    print("Slots left out by the gate: %d of %d (%s)" % (sum(left_out.values()), slots,
          ", ".join("%s %d" % r for r in sorted(left_out.items())) or "-"))
    print("Reviews with every slot valid: %d of %d" % (sum(not void(v) for v in views), len(views)))
    return 1 if bad else 0


views = []
for path in sys.argv[1:]:
    with open(path) as file:
        views.append(json.load(file))
views.sort(key=lambda v: v["proposal"]["measure"]["seed"])
if len(views) == 1:
    print(line(views[0]), flush=True)
else:
    sys.exit(table(views))
