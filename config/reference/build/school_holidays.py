"""Writes config/reference/school-holidays.json: the school holidays of metropolitan France, by region, of the coming years.

Run from the root of the project, with Python 3.10 or newer; the package holds the calendar of the ministry, no network is needed:

    python3 -m venv /tmp/school && /tmp/school/bin/pip install vacances-scolaires-france==0.12.0
    /tmp/school/bin/python config/reference/build/school_holidays.py
"""

import datetime
import json
from importlib.metadata import version

from vacances_scolaires_france import SchoolHolidayDates

# From the school year 2026-27 on: the package has the holidays up to the summer of 2028.
FIRST, LAST = datetime.date(2026, 8, 1), datetime.date(2028, 8, 31)
# The zones of the ministry since January 2016: each region lies within one. Corsica has a calendar of its own, which the package lacks.
ZONES = {
    "A": ["FR-ARA", "FR-BFC", "FR-NAQ"],
    "B": ["FR-BRE", "FR-CVL", "FR-GES", "FR-HDF", "FR-NOR", "FR-PAC", "FR-PDL"],
    "C": ["FR-IDF", "FR-OCC"],
}
NAMES = {
    "Vacances d'été": "summer holidays",
    "Vacances de la Toussaint": "autumn holidays",
    "Vacances de Noël": "Christmas holidays",
    "Vacances d'hiver": "winter holidays",
    "Vacances de printemps": "spring holidays",
    "Pont de l'Ascension": "Ascension bridge",
}
EVIDENCE = {
    "source": f"vacances-scolaires-france {version('vacances-scolaires-france')} (PyPI), the school calendar of the French ministry of education",
    "as_of": "2026-08",
    "credit": "vacances-scolaires-france, MIT",
    "caution": None,
}

calendar = SchoolHolidayDates()
rows = []
for zone, regions in ZONES.items():
    spans = []
    day = FIRST
    while day <= LAST:
        if calendar.is_holiday_for_zone(day, zone):
            name = NAMES[calendar.holidays_for_year(day.year)[day]["nom_vacances"]]
            before = str(day - datetime.timedelta(days=1))
            if spans and spans[-1]["to"] == before and spans[-1]["name"] == name:
                spans[-1]["to"] = str(day)
            else:
                spans.append({"name": name, "from": str(day), "to": str(day)})
        day += datetime.timedelta(days=1)
    known = {"known_from": str(FIRST), "known_to": str(LAST)}
    rows.extend({"country": "FR", "region": region, **known, "spans": spans, **EVIDENCE} for region in regions)
with open("config/reference/school-holidays.json", "w", encoding="utf8") as file:
    file.write("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows) + "\n]\n")
