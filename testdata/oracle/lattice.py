"""Reference values of package stat/lattice's tests, printed by shapiq 1.4.1 with numpy 2.4.6:

    python lattice.py > ../../stat/lattice/testdata/shapiq.json
    python lattice.py time      # how long shapiq's exact computer takes for the Moebius transform of 14 units

Games are random, in 64ths, so that their values and their Moebius coefficients are exact in binary. A set is a number
whose bit i stands for unit i; lists are in order of size, then of that number.
"""
import json
import sys
import time
from importlib.metadata import version

import numpy as np
from shapiq.game_theory.exact import ExactComputer


def game(v, n):
    """The game as shapiq calls it: rows of booleans in, values out."""
    bits = 1 << np.arange(n)
    return lambda coalitions: v[np.asarray(coalitions, int) @ bits]


def sets(n, order):
    return sorted((s for s in range(1 << n) if s.bit_count() <= order), key=lambda s: (s.bit_count(), s))


def units(s):
    return tuple(i for i in range(s.bit_length()) if s >> i & 1)


def listed(values, n, order):
    return [float(f"{values[units(s)]:.13g}") for s in sets(n, order)]


def reference(n, rng):
    v = rng.integers(-256, 257, 1 << n) / 64
    exact = ExactComputer(game(v, n), n)
    moebius = exact("Moebius", n)
    sv, bv = exact("SV", 1), exact("BV", 1)
    orders = range(1, n + 1) if n <= 5 else [3]
    return {
        "units": n,
        "values64": [int(64 * x) for x in v],
        "moebius64": [int(64 * moebius[units(s)]) for s in range(1 << n)],
        "shapley": [float(f"{sv[(i,)]:.13g}") for i in range(n)],
        "banzhaf": [float(f"{bv[(i,)]:.13g}") for i in range(n)],
        "sii": {str(k): listed(exact("SII", k), n, k) for k in [n if n <= 6 else 3]},
        "ksii": {str(k): listed(exact("k-SII", k), n, k) for k in orders},
    }


if sys.argv[1:] == ["time"]:
    v = np.random.default_rng(14).normal(size=1 << 14)
    exact = ExactComputer(game(v, 14), 14)
    start = time.perf_counter()
    exact("Moebius", 14)
    print(f"{time.perf_counter() - start:.2f} s")
else:
    rng = np.random.default_rng(20)
    games = [json.dumps(reference(n, rng)) for n in (2, 3, 4, 5, 6, 8, 10)]
    print('{"program": "shapiq %s", "games": [\n%s\n]}' % (version('shapiq'), ",\n".join(games)))
