"""Reference values of stat's corrections for a judge's errors. Run with scipy 1.17.1 and numpy 2.4.6:

    python rogangladen.py

and copy what it prints into stat/oracle_rogangladen_test.go when a case is added.
"""
import numpy as np
import scipy
from scipy import stats

print("scipy", scipy.__version__, "numpy", np.__version__)
Z = stats.norm.ppf(.975)


def corrected(p, se, sp):
    return (p + sp - 1) / (se + sp - 1)


def lang_reiczigel(k, n, kse, nse, ksp, nsp):
    """Lang and Reiczigel 2014, from the formulas of the paper: each rate is moved towards one half first."""
    n, k = n + Z ** 2, k + Z ** 2 / 2
    nse, kse, nsp, ksp = nse + 2, kse + 1, nsp + 2, ksp + 1
    p, se, sp = k / n, kse / nse, ksp / nsp
    v, vse, vsp = p * (1 - p) / n, se * (1 - se) / nse, sp * (1 - sp) / nsp
    c = corrected(p, se, sp)
    shift = 2 * Z ** 2 * (c * vse - (1 - c) * vsp)
    half = Z * np.sqrt(v + c ** 2 * vse + (1 - c) ** 2 * vsp) / (se + sp - 1)
    return np.clip([c + shift - half, c + shift + half], 0, 1)


def drawn(k, n, kse, nse, ksp, nsp, rng, draws=400_000):
    """The bootstrap of n single cases, with sensitivity and specificity from their Beta distributions."""
    p = rng.binomial(n, k / n, draws) / n
    se = rng.beta(kse + .5, nse - kse + .5, draws)
    sp = rng.beta(ksp + .5, nsp - ksp + .5, draws)
    return np.clip(np.quantile(corrected(p, se, sp), [.025, .975]), 0, 1)


rng = np.random.default_rng(1)
for k, n, kse, nse, ksp, nsp in [(60, 200, 45, 50, 90, 100), (30, 300, 80, 100, 190, 200), (8, 120, 40, 60, 95, 100), (150, 200, 36, 40, 34, 40)]:
    point = min(1, max(0, corrected(k / n, kse / nse, ksp / nsp)))
    lr, mc = lang_reiczigel(k, n, kse, nse, ksp, nsp), drawn(k, n, kse, nse, ksp, nsp, rng)
    print(f"{{{k}, {n}, {kse}, {nse}, {ksp}, {nsp}, {point:.12f}, {lr[0]:.4f}, {lr[1]:.4f}, {mc[0]:.4f}, {mc[1]:.4f}}},")

# Youden's index with Newcombe's interval from two Wilson intervals.
for kse, nse, ksp, nsp in [(45, 50, 90, 100), (7, 10, 5, 10)]:
    w = [stats.binomtest(a, b).proportion_ci(.95, method="wilson") for a, b in [(kse, nse), (ksp, nsp)]]
    below = np.hypot(kse / nse - w[0].low, ksp / nsp - w[1].low)
    above = np.hypot(w[0].high - kse / nse, w[1].high - ksp / nsp)
    j = kse / nse + ksp / nsp - 1
    print(f"youden {kse} {nse} {ksp} {nsp}: {j:.12f} {j - below:.12f} {j + above:.12f}")
