"""Prints the reference values that the tests of dev.assay.stats state as "SciPy" (scipy 1.17.1, numpy 2): python3 scipy_oracles.py"""
import numpy as np
from scipy import optimize, stats
from scipy.stats import mstats

BLOCKS = [(41.2, 43.9, 44.3, 41.8), (40.7, 43.1, 43.6, 41.0), (42.0, 44.2, 44.9, 42.1),
          (41.5, 43.4, 43.2, 41.1), (40.9, 43.8, 44.0, 41.4), (41.7, 44.1, 44.6, 41.9)]
logs = [(np.log(b1) + np.log(b2)) / 2 - (np.log(a1) + np.log(a2)) / 2 for a1, b1, b2, a2 in BLOCKS]
test = stats.ttest_1samp(logs, 0)
print("block ratio: mean, sd, t, p", np.mean(logs), np.std(logs, ddof=1), test.statistic, test.pvalue)
print("block ratio: 90 % interval", np.exp(test.confidence_interval(0.9)))
print("above 1.05, p", stats.ttest_1samp(logs, np.log(1.05), alternative="greater").pvalue)
print("below 1.07, p", stats.ttest_1samp(logs, np.log(1.07), alternative="less").pvalue)

MIXED = [.02, -.01, .03, .015, -.002, .011, .007]
print("mixed signs: sign flip", stats.permutation_test((MIXED,), np.mean, permutation_type="samples",
                                                       n_resamples=np.inf).pvalue)
mixed = stats.ttest_1samp(MIXED, 0)
print("mixed signs: t, p, 95 %", mixed.statistic, mixed.pvalue, mixed.confidence_interval(.95))

print("Benjamini-Hochberg", stats.false_discovery_control([.01, .04, .03, .005, .2]))
for hits, trials in [(0, 10), (3, 10), (18, 20), (10, 10)]:
    t = stats.binomtest(hits, trials, .5)
    print("intervals", hits, trials, t.proportion_ci(.95, "exact"), t.proportion_ci(.95, "wilson"))
for hits, trials, share in [(6, 10, .9), (15, 20, .9), (3, 12, .4), (7, 7, .5)]:
    print("binomial", hits, trials, share,
          [stats.binomtest(hits, trials, share, alternative=a).pvalue for a in ("two-sided", "less", "greater")])


def power(k, delta, sd):
    df = k - 1
    t = stats.t.ppf(.975, df)
    centre = delta * np.sqrt(k) / sd
    return stats.nct.sf(t, df, centre) + np.nan_to_num(stats.nct.cdf(-t, df, centre))


for k, sd in [(6, .01), (8, .02), (12, .05)]:
    print("detection limit", k, sd, optimize.brentq(lambda x: power(k, x, sd) - .8, sd * .01, sd * 5, xtol=1e-14))

X = np.array([[1, 1, .5], [1, 2, 1.5], [1, 3, 1], [1, 4, 4], [1, 5, 3.5], [1, 6, 7], [1, 7, 6], [1, 8, 9.5]])
y = np.array([1.1, 2.3, 2.9, 5.2, 5.8, 8.1, 8.4, 11.2])
w = np.array([1, 2, 1, .5, 1, 2, 1, .25])
root = np.sqrt(w)
b = np.linalg.lstsq(X * root[:, None], y * root, rcond=None)[0]
s2 = (w * (y - X @ b) ** 2).sum() / (len(y) - 3)
print("least squares", b, np.sqrt(s2), s2 * np.linalg.inv(X.T @ (X * w[:, None])))
A = np.array([[1, 2, .5], [2, 1, 3], [3, 4, 1], [1, 1, 1], [4, 0, 2]])
print("nnls", optimize.nnls(A, np.array([1, -2, 3, .5, 2])))
A = np.array([[73, 71, 52], [87, 74, 46], [72, 2, 7], [80, 89, 71]], float)
print("nnls", optimize.nnls(A, np.array([49, 67, 68, 20.])))

VALUES = [3.1, .2, 9.7, 4.4, 5, 1.3, 8.8, 2.6, 7.7, 6.1]
print("Harrell-Davis", mstats.hdquantiles(VALUES, [.1, .5, .9, .95]))
print("type 7", np.quantile(VALUES, [.1, .5, .9, .95]))
