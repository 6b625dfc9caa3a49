#!/usr/bin/env bash
# icu4j 78.3 (Maven Central) and the Intl of Node 24.12.0 (npm), against lunar-javascript 1.7.7 (npm), sxtwl and zhdate (PyPI).
# The Chinese year begins on the day, in Beijing, on which the moon is new (GB/T 33661-2017). In 2027 that is at 23:56 on 6 February, and in
# 2030 at 0:07 on 3 February. ICU, by which Java, Android, browsers and Node count Chinese days, works out the moon by itself, and not exactly
# enough for minutes: its new year of 2027 is a day late, that of 2030 a day early, and with them every day of their months. It is the wave of
# passengers at every airport of East Asia, and the next one. Three calendars have 6 February, as Hong Kong's observatory. No other new year to
# 2060, from 1955 on, is off, so that who compares a few sees nothing, and nothing says that a day was close. Seen:
#   2026: icu4j 2026-02-17, Intl 2026-02-17, lunar-javascript 2026-02-17, sxtwl 2026-02-17, zhdate 2026-02-17
#   2027: icu4j 2027-02-07, Intl 2027-02-07, lunar-javascript 2027-02-06, sxtwl 2027-02-06, zhdate 2027-02-06
#   2030: icu4j 2030-02-02, Intl 2030-02-02, lunar-javascript 2030-02-03, sxtwl 2030-02-03, zhdate 2030-02-03
#   not the same in 2 of 106 years
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet sxtwl==2.0.7 zhdate==0.1
npm install --silent --no-audit --no-fund lunar-javascript@1.7.7 node@24.12.0
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>seen</groupId>
  <artifactId>seen</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.ibm.icu</groupId>
      <artifactId>icu4j</artifactId>
      <version>78.3</version>
    </dependency>
  </dependencies>
</project>
XML
cat >Years.java <<'JAVA'
import com.ibm.icu.util.ChineseCalendar;
import java.time.LocalDate;
import java.time.ZoneId;

public class Years {
    public static void main(String[] arguments) {
        ZoneId beijing = ZoneId.of("Asia/Shanghai");
        for (int year = 1955; year <= 2060; year++) {
            for (LocalDate day = LocalDate.of(year, 1, 20); day.getMonthValue() < 3; day = day.plusDays(1)) {
                ChineseCalendar calendar = new ChineseCalendar(java.util.Date.from(day.atTime(12, 0).atZone(beijing).toInstant()));
                calendar.setTimeZone(com.ibm.icu.util.TimeZone.getTimeZone("Asia/Shanghai"));
                boolean first = calendar.get(ChineseCalendar.MONTH) == 0 && calendar.get(ChineseCalendar.DAY_OF_MONTH) == 1;
                if (first && calendar.get(ChineseCalendar.IS_LEAP_MONTH) == 0) System.out.println(day);
            }
        }
    }
}
JAVA
cat >intl.mjs <<'JS'
const words = new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' })
for (let year = 1955; year <= 2060; year++) {
  for (let day = 20; day < 60; day++) {
    const date = new Date(Date.UTC(year, 0, day))
    if (words.format(date) === '1/1') console.log(date.toISOString().slice(0, 10))
  }
}
JS
cat >lunar.mjs <<'JS'
import lunar from 'lunar-javascript'

for (let year = 1955; year <= 2060; year++) console.log(lunar.Lunar.fromYmd(year, 1, 1).getSolar().toYmd())
JS
cat >read.py <<'PY'
import subprocess
from datetime import date

import sxtwl
from zhdate import ZhDate


def days(*command):
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return {int(line[:4]): line for line in lines}


def of_sxtwl(year):
    day = sxtwl.fromLunar(year, 1, 1)
    return str(date(day.getSolarYear(), day.getSolarMonth(), day.getSolarDay()))


YEARS = range(1955, 2061)
READERS = {
    "icu4j": days("java", "-cp", "lib/*", "Years.java"),
    "Intl": days("node_modules/.bin/node", "intl.mjs"),
    "lunar-javascript": days("node", "lunar.mjs"),
    "sxtwl": {year: of_sxtwl(year) for year in YEARS},
    "zhdate": {year: str(ZhDate(year, 1, 1).to_datetime().date()) for year in YEARS},
}
apart = [year for year in YEARS if len({found[year] for found in READERS.values()}) > 1]
for year in [2026, *apart]:
    print(f"{year}: " + ", ".join(f"{name} {found[year]}" for name, found in READERS.items()))
print(f"not the same in {len(apart)} of {len(YEARS)} years")
PY
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=lib
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
2026: icu4j 2026-02-17, Intl 2026-02-17, lunar-javascript 2026-02-17, sxtwl 2026-02-17, zhdate 2026-02-17
2027: icu4j 2027-02-07, Intl 2027-02-07, lunar-javascript 2027-02-06, sxtwl 2027-02-06, zhdate 2027-02-06
2030: icu4j 2030-02-02, Intl 2030-02-02, lunar-javascript 2030-02-03, sxtwl 2030-02-03, zhdate 2030-02-03
not the same in 2 of 106 years
SEEN
