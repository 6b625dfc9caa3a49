#!/usr/bin/env bash
# airportsdata 20260905 and avwx-engine 1.9.10 (PyPI), each against the other.
# Minutes of an angle written as if they were decimals, in tables that are right elsewhere. airportsdata has Brussels (50° 54' 05" N,
# 4° 29' 04" E) at 50.5405, 4.2904, and so all airports of Belgium that have flights, Luxembourg and Navi Mumbai. The stations of
# avwx-engine that came without seconds have it with two digits: Tripoli (32° 40' N, 13° 09' E) is at 32.4, 13.09, and some sixty more
# that have an IATA code. A place is up to 55 km away, still in its country and near its city, so no check for those finds it; distances,
# the nearest airport and the nearest weather are wrong. Each table is right where the other is not. Seen (km apart as given, and with
# the one place read as minutes):
#   airportsdata: ANR 16 0.2, BRU 42 0.0, CRL 25 0.5, LGG 31 0.3, OST 27 0.9, LUX 29 0.7, NMI 44 1.2
#   avwx: FRS 55 0.3, TIP 30 0.9, OFF 31 0.7, GUT 42 0.8, AOM 27 1.7
#   both right: AMS 0, CDG 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet airportsdata==20260905 avwx-engine==1.9.10
venv/bin/python -W ignore - <<'PY' | tee seen
from math import asin, copysign, cos, pi, sqrt

import airportsdata
import avwx


def km(a, b):
    rad = pi / 180
    h = 0.5 - cos((b[0] - a[0]) * rad) / 2 + cos(a[0] * rad) * cos(b[0] * rad) * (1 - cos((b[1] - a[1]) * rad)) / 2
    return 12742 * asin(sqrt(h))


def from_seconds(value):
    degrees, rest = f"{abs(value):.4f}".split(".")
    return copysign(int(degrees) + int(rest[:2]) / 60 + int(rest[2:]) / 3600, value)


def from_minutes(value):
    degrees, minutes = f"{abs(value):.2f}".split(".")
    return copysign(int(degrees) + int(minutes) / 60, value)


table = airportsdata.load("IATA")


def places(iata):
    row, station = table[iata], avwx.Station.from_icao(table[iata]["icao"])
    return (row["lat"], row["lon"]), (station.latitude, station.longitude)


def line(name, airports, read):
    print(f"{name}: " + ", ".join(read(iata, *places(iata)) for iata in airports))


line("airportsdata", ("ANR", "BRU", "CRL", "LGG", "OST", "LUX", "NMI"),
     lambda iata, row, station: f"{iata} {km(row, station):.0f} {km([from_seconds(v) for v in row], station):.1f}")
line("avwx", ("FRS", "TIP", "OFF", "GUT", "AOM"),
     lambda iata, row, station: f"{iata} {km(row, station):.0f} {km(row, [from_minutes(v) for v in station]):.1f}")
line("both right", ("AMS", "CDG"), lambda iata, row, station: f"{iata} {km(row, station):.0f}")
PY
grep -qx 'airportsdata: ANR 16 0.2, BRU 42 0.0, CRL 25 0.5, LGG 31 0.3, OST 27 0.9, LUX 29 0.7, NMI 44 1.2' seen
grep -qx 'avwx: FRS 55 0.3, TIP 30 0.9, OFF 31 0.7, GUT 42 0.8, AOM 27 1.7' seen
grep -qx 'both right: AMS 0, CDG 1' seen
