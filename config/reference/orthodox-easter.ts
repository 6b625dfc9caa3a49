/** Days between the Julian and the Gregorian calendar from 1900 to 2099. */
const JULIAN_DAYS = 13

/** Easter Sunday of the Orthodox churches in a year from 1900 to 2099, as YYYY-MM-DD: by Meeus' rule of the Julian calendar. */
export function orthodoxEaster(year: number): string {
  const moon = (19 * (year % 19) + 15) % 30
  const sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  // Days from the first of March on.
  const days = moon + sunday + 21 + JULIAN_DAYS
  return new Date(Date.UTC(year, 2, 1 + days)).toISOString().slice(0, 10)
}
