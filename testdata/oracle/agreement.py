"""Reference values of stat's agreement, equivalence, ranking and logistic functions. Run with scipy 1.17.1,
statsmodels 0.15.0, scikit-learn 1.9.1, numpy 2.4.6, pandas 3.1.1, krippendorff 0.9.0 and irrCAC 0.4.4, which asks for an
older scipy and works with this one (pip install --no-deps):

    python agreement.py

and copy what it prints into stat/oracle_agreement_test.go when a case is added.
"""
from importlib.metadata import version
from itertools import combinations, combinations_with_replacement

import krippendorff
import numpy as np
import pandas
import scipy
import sklearn
import statsmodels
from irrCAC.raw import CAC
from scipy import optimize, stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, roc_auc_score
from sklearn.preprocessing import StandardScaler
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

print("scipy", scipy.__version__, "statsmodels", statsmodels.__version__, "sklearn", sklearn.__version__, "numpy", np.__version__,
      "pandas", pandas.__version__, "krippendorff", version("krippendorff"), "irrCAC", version("irrCAC"))

for name, table in [("two", [[20, 5], [10, 15]]), ("three", [[44, 5, 1], [7, 20, 3], [9, 5, 6]]),
                    ("against", [[0, 7], [9, 1]]), ("one sided", [[48, 0], [2, 0]])]:
    t = np.array(table)
    r = cohens_kappa(t)
    labels = [(i, j) for i in range(len(t)) for j in range(len(t)) for _ in range(t[i, j])]
    other = cohen_kappa_score([a for a, _ in labels], [b for _, b in labels])
    assert abs(other - r.kappa) < 1e-12
    se = np.sqrt(max(0, r.var_kappa))
    z = stats.norm.ppf(.975)
    print(f"kappa {name} {r.kappa:.12f} {r.kappa - z * se:.12f} {r.kappa + z * se:.12f}")

# Fleiss' kappa of the table of Fleiss 1971 in the form of Wikipedia (10 items, 14 raters, 5 categories), and the first table
# of statsmodels#7657.
fleiss = np.array([[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
                   [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]])
print(f"fleiss {fleiss_kappa(fleiss):.12f}")
print("fleiss of statsmodels#7657", fleiss_kappa(np.array([[1, 1, 1], [1, 1, 1]])))

x = [.57, .48, .51, .60, .44, .57, .39, .52, .55, .48]
y = [.21, .30, .22, .18, .30, .25, .41, .22, .19, .35]
for a, b in [(x, y), ([1, 1, 2, 2, 2, 3, 4, 4], [1, 2, 1, 2, 2, 3, 3, 3])]:
    r = stats.spearmanr(a, b).statistic
    half = stats.norm.ppf(.975) * np.sqrt((1 + r * r / 2) / (len(a) - 3))
    print(f"spearman {r:.12f} {np.tanh(np.arctanh(r) - half):.12f} {np.tanh(np.arctanh(r) + half):.12f}")
a, b = [1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 1], [2, 2, 1, 2, 2, 3, 3, 3, 5, 4, 1]
print(f"kendall ties {stats.kendalltau(a, b).statistic:.12f}")


def tango(b, c, n, delta):
    """The score statistic, the nuisance rate found by maximising the trinomial likelihood, not by formula."""
    def loss(p):
        first = p + delta
        rest = 1 - p - first
        if min(p, first, rest) < 0:
            return np.inf
        return -(stats.multinomial.logpmf([b, c, n - b - c], n, [first, p, rest]))
    lo, hi = max(0, -delta), (1 - delta) / 2
    p = optimize.minimize_scalar(loss, bounds=(lo, hi), method="bounded", options={"xatol": 1e-13}).x
    return (b - c - n * delta) / np.sqrt(n * (2 * p + delta - delta ** 2))


for b, c, n, margin in [(12, 2, 50, .1), (3, 5, 200, .05), (0, 4, 100, .05), (9, 0, 60, .05)]:
    z = stats.norm.ppf(.95)
    bound = [optimize.brentq(lambda d: tango(b, c, n, d) - v, -.99, .99, xtol=1e-12) for v in (z, -z)]
    p = max(stats.norm.sf(tango(b, c, n, -margin)), stats.norm.cdf(tango(b, c, n, margin)))
    print(f"tango {b} {c} {n} {margin}: {bound[0]:.7f} {bound[1]:.7f} p {p:.8f}")

scores = [.1, .4, .35, .8, .4, .4, .9, .2, .35, .6]
truth = [0, 0, 1, 1, 1, 0, 1, 0, 0, 1]
print(f"auc {roc_auc_score(truth, scores):.12f}")

rows = np.array([[(i * 7 % 11) / 3, (i * i) % 13, (i % 5) - 2.] for i in range(40)])
truth = np.array([(i * 7 % 11 + i % 3 * 4 + (i * i) % 13) % 4 < 2 for i in range(40)])
for ridge in (1, .1):
    scaled = StandardScaler().fit_transform(rows)
    m = LogisticRegression(C=1 / ridge, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(scaled, truth)
    print("logistic", ridge, [f"{v:.9f}" for v in [m.intercept_[0], *m.coef_[0]]], f"{m.decision_function(scaled)[3]:.9f}")

# Ratings as stat/oracle_ratings_test.go has them: a row an item, a digit what a rater says, a dot nothing. Of "holes" nobody
# uses category 3, one item has a single label, and one has none.
RATINGS = {
    "two": (2, "00 00 00 01 00 00 11 00 10 00 00 11 00 00 01 00 00 11 00 00"),
    "full": (4, "000 001 112 222 223 333 332 110 011 121 222 000 313 233"),
    "holes": (5, "0.01. 00000 1.122 ..22. 44.44 2.1.2 ..4.. ..... 11211 0..10 42424 22.2. .44.2 0010."),
}
OWN = np.array([[1, .9, .2, .1, 0], [.9, 1, .5, .2, .1], [.2, .5, 1, .7, .3], [.1, .2, .7, 1, .8], [0, .1, .3, .8, 1]])


def kappa_of_pairs(x, q, weights):
    """The mean over pairs of raters by scikit-learn, held against statsmodels."""
    out = []
    for a, b in combinations(range(x.shape[1]), 2):
        both = ~np.isnan(x[:, a]) & ~np.isnan(x[:, b])
        first, second = x[both, a].astype(int), x[both, b].astype(int)
        table = np.zeros((q, q), int)
        np.add.at(table, (first, second), 1)
        out.append(cohen_kappa_score(first, second, labels=list(range(q)), weights=weights))
        other = cohens_kappa(table, wt=weights, return_results=False)
        assert abs(other - out[-1]) < 1e-12, (other, out[-1])
    return np.mean(out)


for name, (q, text) in RATINGS.items():
    x = np.array([[np.nan if c == "." else float(c) for c in row] for row in text.split()])
    for weights in ("identity", "linear", "quadratic", "own"):
        if weights == "own" and q != len(OWN):
            continue
        c = CAC(pandas.DataFrame(x), categories=[float(k) for k in range(q)], weights=OWN if weights == "own" else weights, digits=15)
        by = f"fleiss {c.fleiss()['est']['coefficient_value']:.12f} gwet {c.gwet()['est']['coefficient_value']:.12f}"
        if weights == "identity":
            by += f" percent {c.pa:.12f}"
        if weights != "own":
            by += f" cohen {kappa_of_pairs(x, q, None if weights == 'identity' else weights):.12f}"
        print("ratings", name, weights, by)
    for scale in ("nominal", "ordinal"):
        a = krippendorff.alpha(reliability_data=x.T, value_domain=[float(k) for k in range(q)], level_of_measurement=scale)
        print("ratings", name, "alpha", scale, f"{a:.12f}")
    full = ~np.isnan(x).any(axis=1)
    counts = np.array([[np.sum(row == k) for k in range(q)] for row in x[full]])
    print("ratings", name, "complete items", full.sum(), f"statsmodels' fleiss {fleiss_kappa(counts):.12f}")

# The width of kappa's interval that a plan expects, on 100 items. Where the shares of items are drawn evenly from all there
# are, every count of labels is as likely as any other, so that a sample which has each once is the model itself: kappa is
# then 1/(q + 1). irrCAC divides by items less one.
for raters, q in ((3, 2), (4, 3), (5, 4)):
    rows = list(combinations_with_replacement(range(q), raters))
    c = CAC(pandas.DataFrame(np.array(rows, float)), categories=[float(k) for k in range(q)], digits=15)
    est = c.fleiss()["est"]
    width = 2 * stats.norm.ppf(.975) * est["se"] * np.sqrt(len(rows) - 1) / 10
    print(f"plan {raters} raters, {q} categories: kappa {est['coefficient_value']:.12f} width {width:.12f}")
for table in ([[35, 15], [15, 35]], [[43, 7], [7, 3]], [[22, 6, 12], [6, 8, 6], [12, 6, 22]]):
    r = cohens_kappa(np.array(table))
    share = np.sum(table, axis=0) / np.sum(table)
    print(f"plan of two raters {table} shares {share} kappa {r.kappa:.12f} width {2 * stats.norm.ppf(.975) * np.sqrt(r.var_kappa):.12f}")
