"""Reference values of stat's agreement, equivalence, ranking and logistic functions. Run with scipy 1.17.1,
statsmodels 0.15.0, scikit-learn 1.9.1, numpy 2.4.6:

    python agreement.py

and copy what it prints into stat/oracle_agreement_test.go when a case is added.
"""
import numpy as np
import scipy
import sklearn
import statsmodels
from scipy import optimize, stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, roc_auc_score
from sklearn.preprocessing import StandardScaler
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

print("scipy", scipy.__version__, "statsmodels", statsmodels.__version__, "sklearn", sklearn.__version__, "numpy", np.__version__)

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

# Fleiss' kappa of the table of Fleiss 1971 in the form of Wikipedia (10 items, 14 raters, 5 categories), the jackknife by
# statsmodels' own kappa without each item, and the two tables of statsmodels#7657.
fleiss = np.array([[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
                   [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]])
left = [fleiss_kappa(np.delete(fleiss, i, 0)) for i in range(len(fleiss))]
n = len(left)
half = stats.t.ppf(.975, n - 1) * np.sqrt((n - 1) / n * np.sum((left - np.mean(left)) ** 2))
k = fleiss_kappa(fleiss)
print(f"fleiss {k:.12f} {k - half:.12f} {k + half:.12f}")
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
