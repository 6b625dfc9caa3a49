#!/usr/bin/env bash
# SunriseSunsetCalculator 1.2 (com.luckycatlabs), against commons-suncalc 3.11 (both Maven Central).
# The Java package takes a place, the name of its time zone and a Calendar of the day, and gives the sunrise as a Calendar. It takes the zone's
# offset without summer time, rounds it to two digits, and adds an hour where the Calendar that was given is in summer time. A Calendar of a day
# is most often its midnight: on the two days on which the clocks change, an hour or two after it, the instant is an hour wrong. 12.75 hours
# are 13 (the Chatham Islands, a quarter of an hour late all year), 10.5 are 11, and summer time is half an hour on Lord Howe: half an hour
# late in winter, a whole one in summer. A curfew that ends with the sunrise ends in the night or an hour late. Nothing is refused.
# Seen, local time of the sunrise, the package, then commons-suncalc:
#   Frankfurt 2027-03-27: 06:14, 06:14
#   Frankfurt 2027-03-28: 06:12, 07:11
#   Frankfurt 2027-10-31: 08:13, 07:13
#   Kennedy   2027-11-07: 07:32, 06:32
#   Chatham   2027-07-01: 08:21, 08:05
#   Chatham   2027-12-01: 05:59, 05:44
#   Lord Howe 2027-07-01: 07:24, 06:53
#   Lord Howe 2027-12-01: 06:12, 05:11
#   Adelaide  2027-12-01: 05:55, 05:55
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
      <groupId>com.luckycatlabs</groupId>
      <artifactId>SunriseSunsetCalculator</artifactId>
      <version>1.2</version>
    </dependency>
    <dependency>
      <groupId>org.shredzone.commons</groupId>
      <artifactId>commons-suncalc</artifactId>
      <version>3.11</version>
    </dependency>
  </dependencies>
</project>
XML
cat >Seen.java <<'JAVA'
import com.luckycatlabs.sunrisesunset.SunriseSunsetCalculator;
import com.luckycatlabs.sunrisesunset.dto.Location;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.GregorianCalendar;
import org.shredzone.commons.suncalc.SunTimes;

public class Seen {
    static void compare(String name, double latitude, double longitude, String zone, String... days) {
        DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm");
        for (String day : days) {
            ZonedDateTime midnight = LocalDate.parse(day).atStartOfDay(ZoneId.of(zone));
            ZonedDateTime sunrise = new SunriseSunsetCalculator(new Location(latitude, longitude), zone)
                .getOfficialSunriseCalendarForDate(GregorianCalendar.from(midnight))
                .toInstant().atZone(midnight.getZone());
            ZonedDateTime right = SunTimes.compute().on(midnight).at(latitude, longitude).execute().getRise();
            System.out.printf("%-9s %s: %s, %s%n", name, day, sunrise.format(clock), right.format(clock));
        }
    }

    public static void main(String[] arguments) {
        compare("Frankfurt", 50.0333, 8.5706, "Europe/Berlin", "2027-03-27", "2027-03-28", "2027-10-31");
        compare("Kennedy", 40.6398, -73.7789, "America/New_York", "2027-11-07");
        compare("Chatham", -43.81, -176.4572, "Pacific/Chatham", "2027-07-01", "2027-12-01");
        compare("Lord Howe", -31.5383, 159.077, "Australia/Lord_Howe", "2027-07-01", "2027-12-01");
        compare("Adelaide", -34.945, 138.53, "Australia/Adelaide", "2027-12-01");
    }
}
JAVA
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=lib
java -cp 'lib/*' Seen.java | tee seen
diff seen - <<'SEEN'
Frankfurt 2027-03-27: 06:14, 06:14
Frankfurt 2027-03-28: 06:12, 07:11
Frankfurt 2027-10-31: 08:13, 07:13
Kennedy   2027-11-07: 07:32, 06:32
Chatham   2027-07-01: 08:21, 08:05
Chatham   2027-12-01: 05:59, 05:44
Lord Howe 2027-07-01: 07:24, 06:53
Lord Howe 2027-12-01: 06:12, 05:11
Adelaide  2027-12-01: 05:55, 05:55
SEEN
