import { DateTime } from 'luxon'

/** A date of emails, or as a JavaScript program prints one: `Tue, 01 Dec 2026 10:00:00 -0500`, `Tue Dec 01 2026 10:00:00 GMT-0500 (EST)`. */
const PRINTED =
  /^(?:[a-z]{3},? )?(?:(?<day>\d{1,2}) (?<month>[a-z]{3})|(?<first>[a-z]{3}) (?<second>\d{1,2})) (?<year>\d{4}) (?<time>\d{2}:\d{2})(?::\d{2})? (?<offset>GMT|(?:GMT)?[+-]\d{4})(?: \(.*\))?$/i

/** A printed date as ISO 8601; any other text as it is. */
export function fromPrinted(text: string): string {
  const { day, month, first, second, year, time, offset } = PRINTED.exec(text.trim())?.groups ?? {}
  if (offset === undefined) return text
  const date = DateTime.fromFormat(`${day ?? second} ${month ?? first} ${year}`, 'd LLL yyyy', {
    zone: 'utc',
    locale: 'en',
  })
  const zone = offset.replace(/^GMT/i, '')
  return date.isValid ? `${date.toISODate()}T${time}${zone === '' ? 'Z' : zone}` : text
}
