"""Reference values of stat's calibration functions. Run with scipy 1.17.1, scikit-learn 1.9.1 and numpy 2.4.6:

    python calibration.py

and copy what it prints into stat/oracle_calibration_test.go when a case is added.
"""
import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

print("scipy", scipy.__version__, "sklearn", sklearn.__version__, "numpy", np.__version__)


def forecasts(n, of):
    """Confidences in steps of 1/of, 0 and 1 among them, and outcomes that follow them only roughly."""
    i = np.arange(n)
    m = i * 37 % (of + 1)
    return m / of, ((i * i * 29 + i * 13) % 101 * of < 20 * of + 60 * m).astype(int)


def measures(c, y, inside):
    """ECE, MCE and the five terms of the Brier score, each from its definition; inside holds the members of each bin."""
    n, out = len(c), dict.fromkeys(["ece", "mce", "rel", "res", "wbv", "wbc"], 0.0)
    for k in inside:
        if not k.any():
            continue
        gap = abs(y[k].mean() - c[k].mean())
        out["ece"] += k.sum() / n * gap
        out["mce"] = max(out["mce"], gap)
        out["rel"] += k.sum() / n * gap ** 2
        out["res"] += k.sum() / n * (y[k].mean() - y.mean()) ** 2
        out["wbv"] += ((c[k] - c[k].mean()) ** 2).sum() / n
        out["wbc"] += 2 * ((c[k] - c[k].mean()) * (y[k] - y[k].mean())).sum() / n
    out["unc"] = y.mean() * (1 - y.mean())
    out["brier"] = brier_score_loss(y, c)
    assert abs(out["rel"] - out["res"] + out["unc"] + out["wbv"] - out["wbc"] - out["brier"]) < 1e-12
    return out


for n, of, bins in [(2, 64, 10), (60, 64, 10), (97, 10, 10), (200, 16, 5), (50, 20, 15)]:
    c, y = forecasts(n, of)
    for name, strategy in [("width", "uniform"), ("mass", "quantile")]:
        if strategy == "uniform":
            upper = np.arange(1, bins + 1) / bins
        else:
            upper = np.append(np.quantile(c, np.arange(1, bins) / bins), 1)
        lower = np.insert(upper[:-1], 0, -1)
        inside = [(c > lo) & (c <= hi) for lo, hi in zip(lower, upper)]
        m = measures(c, y, inside)
        print(f'{{{n}, {of}, {bins}, {str(name == "mass").lower()}, ' + ", ".join(f"{m[k]:.12f}" for k in ["ece", "mce", "brier", "rel", "res", "unc", "wbv", "wbc"]) + "},")
        # scikit-learn's bins are open below and closed above, too.
        truth, mean = calibration_curve(y, c, n_bins=bins, strategy=strategy)
        ours = [(y[k].mean(), c[k].mean()) for k in inside if k.any()]
        assert np.allclose(np.array(ours), np.column_stack([truth, mean])), (n, of, bins, name)
        if n == 60:
            print("   ", ", ".join(f"{{{a:.12f}, {b:.12f}}}" for b, a in zip(truth, mean)))

# The mean of |right − expected| ÷ n under perfect calibration: 40 forecasts of 0.7 in one bin, and 25 of 0.2 in another.
mad = sum(np.abs(np.arange(k + 1) - k * p) @ stats.binom(k, p).pmf(np.arange(k + 1)) for k, p in [(40, .7), (25, .2)]) / 65
print(f"floor {mad:.12f}")

# The interval of ECE over items of 1 to 3 forecasts, by a bootstrap of its own.
c, y = forecasts(97, 10)
item = np.repeat(np.arange(48), [1, 2, 3] * 16)[:96]
c, y = c[:96], y[:96]
rng = np.random.default_rng(1)
members = [np.flatnonzero(item == i) for i in range(48)]
upper = np.arange(1, 11) / 10
bin_of = np.searchsorted(upper, c)
ece, brier = [], []
for _ in range(20000):
    k = np.concatenate([members[i] for i in rng.integers(0, 48, 48)])
    s = np.bincount(bin_of[k], y[k] - c[k], 10)
    ece.append(np.abs(s).sum() / len(k))
    brier.append(((y[k] - c[k]) ** 2).mean())
print("clustered ece", np.quantile(ece, [.025, .975]), "brier", np.quantile(brier, [.025, .975]))
