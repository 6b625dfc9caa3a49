#!/usr/bin/env bash
# holidays 0.109 (PyPI).
# In Hong Kong schools, banks and offices close on the general holidays, of which employers must give only some, the statutory ones.
# The default of holidays ("public") is the statutory list: Good Friday and the day after it are in "optional" alone, while Easter
# Monday is "public" since it became statutory. So the calendar has the last day of the busiest weekend of the spring without its first
# two, and a public holiday of 2025 and 2026 differs with no word of why. Seen:
#   2025 public: none of Easter
#   2025 public and optional: 04-18 Good Friday, 04-19 The day following Good Friday, 04-21 Easter Monday
#   2026 public: 04-06 Easter Monday
#   2026 public and optional: 04-03 Good Friday, 04-04 The day following Good Friday, 04-06 Easter Monday
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet holidays==0.109
cat >days.py <<'PY'
import holidays
def easter(year, categories):
    days = holidays.HK(years=year, language="en_US", categories=categories)
    names = {day: [name for name in days.get_list(day) if name in WANTED] for day in sorted(days)}
    return ", ".join(f"{str(day)[5:]} {name}" for day, found in names.items() for name in found) or "none of Easter"
WANTED = {"Good Friday", "The day following Good Friday", "Easter Monday"}
for year in (2025, 2026):
    print(f"{year} public: {easter(year, ('public',))}")
    print(f"{year} public and optional: {easter(year, ('public', 'optional'))}")
PY
venv/bin/python days.py | tee seen
diff seen - <<'SEEN'
2025 public: none of Easter
2025 public and optional: 04-18 Good Friday, 04-19 The day following Good Friday, 04-21 Easter Monday
2026 public: 04-06 Easter Monday
2026 public and optional: 04-03 Good Friday, 04-04 The day following Good Friday, 04-06 Easter Monday
SEEN
