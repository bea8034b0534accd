"""Reference values of package stat's tests. Run with scipy 1.17.1, statsmodels 0.15.0, numpy 2.4.6:

    python stat.py

and copy what it prints into stat/oracle_test.go when a case is added.
"""
import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

print("scipy", scipy.__version__, "statsmodels", statsmodels.__version__, "numpy", np.__version__)

for k, n, level in [(0, 50, .95), (50, 50, .95), (1, 8, .95), (7, 20, .9), (133, 200, .99), (0, 1, .95)]:
    lo, hi = proportion_confint(k, n, alpha=1 - level, method="wilson")
    print(f"wilson {k} {n} {level}: {lo:.12f} {hi:.12f}")

for b, c in [(0, 1), (0, 6), (2, 8), (5, 6), (10, 25), (120, 160), (900, 1100)]:
    exact = mcnemar([[0, b], [c, 0]], exact=True).pvalue
    d = stats.binom(b + c, .5)
    mid = 2 * d.cdf(min(b, c)) - d.pmf(min(b, c))
    print(f"mcnemar {b} {c}: {exact:.12g} {mid:.12g}")

p = [.01, .04, .03, .005, .2, .04, .9]
print("holm", [round(float(v), 12) for v in multipletests(p, method="holm")[1]])
print("bh", [round(float(v), 12) for v in multipletests(p, method="fdr_bh")[1]])

x = [.57, .48, .51, .60, .44, .57, .39, .52, .55, .48]
y = [.21, .30, .22, .18, .30, .25, .41, .22, .19, .35]
r = stats.pearsonr(x, y)
ci = r.confidence_interval(.95)
print(f"pearson {r.statistic:.12f} {ci.low:.12f} {ci.high:.12f}")
print(f"kendall {stats.kendalltau(x, y).statistic:.12f}")
a = [1, 1, 2, 2, 2, 3, 4, 4]
b = [1, 2, 1, 2, 2, 3, 3, 3]
print(f"kendall ties {stats.kendalltau(a, b).statistic:.12f}")

v = [3.1, .2, 5.5, 5.5, -1., 2.25, 9., .2]
print("quantiles", [float(q) for q in np.quantile(v, [0, .025, .3, .5, .975, 1], method="linear")])

# A ratio of sums over items: percentile interval of many replicates, to be met within Monte Carlo error.
num = np.array([0, 2, 1, 5, 0, 3, 4, 1, 0, 2, 6, 1, 2, 0, 3, 1, 0, 4, 2, 1], float)
den = np.array([6, 6, 5, 8, 4, 6, 6, 3, 5, 6, 8, 6, 7, 2, 6, 6, 4, 8, 6, 5], float)
res = stats.bootstrap((num, den), lambda n, d, axis: n.sum(axis) / d.sum(axis), paired=True, n_resamples=200000,
                      method="percentile", rng=np.random.default_rng(1))
print("ratio", num.sum() / den.sum(), res.confidence_interval)
