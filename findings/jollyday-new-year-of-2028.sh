#!/usr/bin/env bash
# jollyday-jackson 1.8.1 (Maven Central).
# A federal holiday of the US on a Saturday is observed on the Friday before (5 U.S.C. 6103(b)(1)): the New Year's Day of 2028 on Friday, 31
# December 2027. jollyday has that rule, and answers by the year that it is asked for: the day is among the holidays of 2028, and nobody who
# asks for 2027 gets it. isHoliday() asks for the year of its date: neither 31 December nor 1 January is a holiday, and the year turns without
# a New Year's Day. A range over the turn of the year has it, and Christmas, moved in the same way, is right. Who marks holidays day by day or
# year by year sees an ordinary Friday. Issue 742 of the project (January 2025) has the same of 2021. Seen:
#   isHoliday 2027-12-24 true, 2027-12-31 false, 2028-01-01 false
#   in the holidays of 2027: no, of 2028: yes, of 2027-12-20 to 2028-01-10: yes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>seen</groupId>
  <artifactId>seen</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>de.focus-shift</groupId>
      <artifactId>jollyday-jackson</artifactId>
      <version>1.8.1</version>
    </dependency>
  </dependencies>
</project>
XML
cat >Seen.java <<'JAVA'
import de.focus_shift.jollyday.core.Holiday;
import de.focus_shift.jollyday.core.HolidayManager;
import de.focus_shift.jollyday.core.ManagerParameters;
import java.time.LocalDate;
import java.time.Year;
import java.util.Set;

public class Seen {
    static String has(Set<Holiday> holidays) {
        return holidays.stream().anyMatch(holiday -> holiday.getDate().equals(LocalDate.of(2027, 12, 31))) ? "yes" : "no";
    }

    public static void main(String[] arguments) {
        HolidayManager us = HolidayManager.getInstance(ManagerParameters.create("us"));
        System.out.printf(
            "isHoliday 2027-12-24 %s, 2027-12-31 %s, 2028-01-01 %s%n",
            us.isHoliday(LocalDate.of(2027, 12, 24)), us.isHoliday(LocalDate.of(2027, 12, 31)), us.isHoliday(LocalDate.of(2028, 1, 1)));
        System.out.printf(
            "in the holidays of 2027: %s, of 2028: %s, of 2027-12-20 to 2028-01-10: %s%n",
            has(us.getHolidays(Year.of(2027))), has(us.getHolidays(Year.of(2028))),
            has(us.getHolidays(LocalDate.of(2027, 12, 20), LocalDate.of(2028, 1, 10))));
    }
}
JAVA
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=lib
java -cp 'lib/*' Seen.java 2>log | tee seen
diff seen - <<'SEEN'
isHoliday 2027-12-24 true, 2027-12-31 false, 2028-01-01 false
in the holidays of 2027: no, of 2028: yes, of 2027-12-20 to 2028-01-10: yes
SEEN
