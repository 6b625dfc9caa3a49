"""Compares the days off of public-holidays.json with those of the Python package holidays, and writes a table in Markdown.

Run from the root of the project, with Python 3.10 or newer:

    python3 -m venv /tmp/holidays && /tmp/holidays/bin/pip install holidays==0.109
    /tmp/holidays/bin/python config/reference/build/compare_holidays.py > docs/measurements/holidays.md
"""

import json
import re
from datetime import date
from importlib.metadata import version

import holidays

YEARS = (2026, 2027)
# Days of one holiday by two calendars lie no further apart than this.
NEAR_DAYS = 2
# The names of days of the Islamic calendar in English, as date-holidays has them.
ISLAMIC = re.compile(r"Eid|Id[ -]|Ramadan|Sacrifice|Islamic|Muhammad|Mawlid|Maulid|Mouloud|Youman|Ashura|Mi'raj|Arafat|Qadr|Imam|Mabaas|Demise", re.I)

HEAD = """# Days off by two calendars

Made by `config/reference/build/compare_holidays.py` with holidays {version} (PyPI): {compared} countries with airports, the years {first} and {last}. Ours are date-holidays (npm) with `holiday-corrections.json`. {same} countries have the same days.

| kind of difference | days | who is right |
|---|---:|---|
| one or two days apart | {apart} | not decided; {islamic} of them are days of the Islamic calendar, of which each calendar computes the moon by a rule of its own |
| a substitute day that only holidays has | {substitutes} | not decided: date-holidays has a substitute day only where its rules name one |
| only date-holidays has it | {ours} | mixed: days of one faith or region that it lists for all, and general holidays that holidays lists as optional (Good Friday in Hong Kong) |
| only holidays has it | {theirs} | mixed: new laws and gazetted days (India), and Sundays that are a holiday by name alone |

What was decided for a country, each with its source, is in `config/reference/holiday-corrections.json`:

{decided}

Days of a country that differ and were not decided:

| country | alike | one or two days apart | substitute days | only date-holidays | only holidays |
|---|---:|---:|---:|---|---|
{rows}
"""


def own_days():
    with open("config/reference/public-holidays.json", encoding="utf-8") as file:
        rows = json.load(file)
    return {row["country"]: {day: name for day, name in row["days"].items() if int(day[:4]) in YEARS} for row in rows}


def their_days(country):
    calendar = holidays.country_holidays(country, years=YEARS)
    if "en_US" in calendar.supported_languages:
        calendar = holidays.country_holidays(country, years=YEARS, language="en_US")
    return {day.isoformat(): name for day, name in calendar.items()}


def pairs_nearby(ours, theirs):
    """Takes from both lists the days that lie next to each other, and returns those of the first."""
    pairs = []
    for day in sorted(ours):
        near = [other for other in theirs if abs((date.fromisoformat(other) - date.fromisoformat(day)).days) <= NEAR_DAYS]
        if near:
            ours.remove(day)
            theirs.remove(min(near, key=lambda other: abs((date.fromisoformat(other) - date.fromisoformat(day)).days)))
            pairs.append(day)
    return pairs


def names(days, of):
    return "; ".join(sorted({of[day].replace("|", "/") for day in days}))


def decided():
    with open("config/reference/holiday-corrections.json", encoding="utf-8") as file:
        rows = json.load(file)
    return "\n".join(sorted({f"- {row['country']}, {row['name']}: {row['why']}" for row in rows}))


def main():
    supported = holidays.list_supported_countries()
    totals = {"compared": 0, "same": 0, "apart": 0, "islamic": 0, "substitutes": 0, "ours": 0, "theirs": 0}
    rows = []
    for country, own in sorted(own_days().items()):
        if country not in supported:
            continue
        theirs = their_days(country)
        totals["compared"] += 1
        alike = len(own.keys() & theirs.keys())
        only_own = [day for day in own if day not in theirs]
        only_theirs = [day for day in theirs if day not in own]
        if not only_own and not only_theirs:
            totals["same"] += 1
            continue
        substitutes = [day for day in only_theirs if "(observed" in theirs[day] or "substituted" in theirs[day]]
        only_theirs = [day for day in only_theirs if day not in substitutes]
        apart = pairs_nearby(only_own, only_theirs)
        totals["apart"] += len(apart)
        totals["islamic"] += sum(bool(ISLAMIC.search(own[day])) for day in apart)
        totals["substitutes"] += len(substitutes)
        totals["ours"] += len(only_own)
        totals["theirs"] += len(only_theirs)
        rows.append(
            f"| {country} | {alike} | {len(apart)} | {len(substitutes)} | {names(only_own, own)} | {names(only_theirs, theirs)} |"
        )
    first, last = YEARS
    print(HEAD.format(version=version("holidays"), first=first, last=last, decided=decided(), rows="\n".join(rows), **totals).strip())


if __name__ == "__main__":
    main()
