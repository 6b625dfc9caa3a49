/**
 * How a time of day is written: `15:15` or `3:15 pm`, by the custom of the reader's region. All texts are made with 24 hours and
 * rewritten here when shown: a page and a frame by the browser's region, a view of MCP by its host's, a picture without a reader
 * by the airport's country. Browsers load this file too, so it imports nothing.
 */

/** `03:15` and both times of `03:15-22:00`, but neither a part of an instant as machines write it, nor an offset such as `+05:30`. */
const CLOCK = /(?<![\dT:+−])(?<!(?<!(?:^|[^\dT:])\d\d:\d\d)-)([01]\d|2[0-3]):([0-5]\d)(?!:?\d|\s?[ap]m)/g
const LABEL = /^([01]\d|2[0-3]):00$/

/** Whether a region counts hours to twelve. `locale`: a BCP 47 tag; the one of the program where none is given. */
export const countsToTwelve = (locale?: string): boolean =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' }).resolvedOptions().hour12 === true

/** A text with its times counted to twelve. A label of an axis, which is a time alone, has no room for minutes that are none. */
export function inTwelveHours(text: string, isOfChart = false): string {
  const isLabel = isOfChart && LABEL.test(text.trim())
  return text.replace(CLOCK, (_, hour: string, minute: string) => {
    const minutes = isLabel ? '' : `:${minute}`
    return `${Number(hour) % 12 || 12}${minutes}\u00a0${Number(hour) < 12 ? 'am' : 'pm'}`
  })
}

/** Whether a country (ISO 3166-1 alpha-2) counts to twelve: by its likeliest language, because not every pair of the two is known. */
function countryCountsToTwelve(country: string): boolean {
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  return countsToTwelve(`${language}-${country}`)
}

/** A text in the custom of a country, for what has no known reader. */
export const inClocksOf = (country: string, text: string): string =>
  countryCountsToTwelve(country) ? inTwelveHours(text) : text

/** The same of every text of a chart in markup. */
export const chartInClocksOf = (country: string, svg: string): string =>
  countryCountsToTwelve(country) ? svg.replace(/(?<=>)[^<]+(?=<)/g, (text) => inTwelveHours(text, true)) : svg
