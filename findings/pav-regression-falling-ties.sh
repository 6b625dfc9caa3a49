#!/usr/bin/env bash
# pav_regression 0.7.0 (crates.io), against scikit-learn 1.7.2 (PyPI).
# Isotonic regression of a falling relation: the wait by the number of open lanes. Rows with the same x are one level of the fit, and its value
# is their mean (de Leeuw, Hornik and Mair 2009, secondary approach to ties). The crate sorts rows of the same x by falling y "to ensure that
# points with the same x get merged". That holds for a rising fit only. For a falling one such rows are in order already and stay apart, so
# that one x has several values: with three lanes open the wait is the shortest that was ever seen, and not the mean. The same rows with the
# sign of x turned and a rising fit are right. Nothing is refused. Seen, by lanes:
#   new_descending          1: 30, 2: 15, 2.5: 7.5, 3: 2 (7 levels)
#   new_ascending, x turned 1: 30, 2: 15, 2.5: 10.5, 3: 6 (3 levels)
#   scikit-learn            1: 30, 2: 15, 2.5: 10.5, 3: 6
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet scikit-learn==1.7.2
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"

[dependencies]
pav_regression = "=0.7.0"
TOML
cat >src/main.rs <<'RS'
use pav_regression::{IsotonicRegression, Point};

const WAITS: [(f64, f64); 9] = [
    (1.0, 40.0),
    (1.0, 30.0),
    (1.0, 20.0),
    (2.0, 25.0),
    (2.0, 15.0),
    (2.0, 5.0),
    (3.0, 10.0),
    (3.0, 6.0),
    (3.0, 2.0),
];

fn print(name: &str, fit: IsotonicRegression<f64>, sign: f64) {
    let waits = [1.0, 2.0, 2.5, 3.0].map(|lanes| format!("{lanes}: {}", fit.interpolate(sign * lanes).unwrap()));
    println!("{name} {} ({} levels)", waits.join(", "), fit.get_points().len());
}

fn main() {
    let points = |sign: f64| WAITS.map(|(lanes, wait)| Point::new(sign * lanes, wait));
    print("new_descending:", IsotonicRegression::new_descending(&points(1.0)).unwrap(), 1.0);
    print("new_ascending, x turned:", IsotonicRegression::new_ascending(&points(-1.0)).unwrap(), -1.0);
}
RS
cat >fit.py <<'PY'
from sklearn.isotonic import IsotonicRegression

lanes = [1, 1, 1, 2, 2, 2, 3, 3, 3]
fit = IsotonicRegression(increasing=False).fit(lanes, [40, 30, 20, 25, 15, 5, 10, 6, 2])
asked = [1, 2, 2.5, 3]
print("scikit-learn:", ", ".join(f"{x}: {y:g}" for x, y in zip(asked, fit.predict(asked))))
PY
cargo build --quiet
{
  target/debug/seen
  venv/bin/python fit.py
} | tee seen
diff seen - <<'SEEN'
new_descending: 1: 30, 2: 15, 2.5: 7.5, 3: 2 (7 levels)
new_ascending, x turned: 1: 30, 2: 15, 2.5: 10.5, 3: 6 (3 levels)
scikit-learn: 1: 30, 2: 15, 2.5: 10.5, 3: 6
SEEN
