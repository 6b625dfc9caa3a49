import { projectTable } from '../../config/project-text.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'
import type { Sky, TafPeriod, WeatherReport } from '../../warehouse/publishing/read/weather.ts'
import { spanTextAt } from './local-clock.ts'
import { agoText, sentenceOf } from './text.ts'

/** Weather reports and forecasts in plain words. */

/** Gusts and winds from which on landings stop, and from which on fewer planes land in an hour. */
const GALE = { gust_kt: 50, wind_kt: 35 }
const STRONG = { gust_kt: 30, wind_kt: 25 }

const isWind = (sky: Sky, from: typeof GALE) =>
  (sky.wind_gust_kt ?? 0) > from.gust_kt || (sky.wind_kt ?? 0) >= from.wind_kt
const windFigure = ({ wind_kt, wind_gust_kt }: Sky) =>
  wind_gust_kt === null ? `${Math.round(wind_kt ?? 0)} kt` : `gusts of ${Math.round(wind_gust_kt)} kt`

/** The sky of a report with its raw text, or that of a period of a forecast. */
type ReportedSky = Sky & { raw?: string }

/** The parts of two letters of weather codes: TS and GR of `+TSGR`, which is no SG. */
const partsOf = (weather: string | null): string[] =>
  (weather ?? '').split(' ').flatMap((group) => lettersOf(group).match(/../g) ?? [])
const lettersOf = (group: string) => group.replace(/^[+-]/, '').replace('VC', '')
const has = ({ weather }: Sky, ...parts: string[]) => partsOf(weather).some((part) => parts.includes(part))

const isFreezingRain = ({ weather }: Sky) => /FZ(RA|DZ)/.test(weather ?? '')
const isHeavySnow = ({ weather }: Sky) => /\+SN|BLSN|\+SHSN/.test(weather ?? '')

/** A lower ceiling is a cause of its own, whatever else stands in the air. */
const VERY_LOW_CEILING_FT = 500
/** Whether sand, dust or smoke alone takes the view. */
const isDry = (sky: Sky) =>
  has(sky, 'SS', 'DS', 'SA', 'DU', 'FU', 'HZ') &&
  !has(sky, 'FG', 'BR') &&
  (sky.ceiling_ft ?? VERY_LOW_CEILING_FT) >= VERY_LOW_CEILING_FT

/** Weather that delays flights, in the order in which it stops them. SNOCLO is the code for an aerodrome or runway closed by snow. */
const HAZARDS: { applies: (sky: ReportedSky) => boolean; text: (sky: Sky) => string; isSlight?: true }[] = [
  {
    applies: ({ raw = '' }) => /(^| )(R\/)?SNOCLO(=| |$)/.test(raw),
    text: () => 'the aerodrome is closed by snow (SNOCLO in the report)',
  },
  {
    applies: ({ raw = '' }) => /R\d\d[LCR]?\/SNOCLO/.test(raw),
    text: () => 'a runway is closed by snow (SNOCLO in the report)',
  },
  { applies: (sky) => has(sky, 'VA'), text: () => 'volcanic ash: flights may stop' },
  {
    applies: (sky) => has(sky, 'FC'),
    text: () => 'tornado, waterspout or funnel cloud at or near the airport: flights may stop',
  },
  {
    applies: (sky) => has(sky, 'TS'),
    text: () => 'thunderstorm at or near the airport: work on the apron and departures may stop',
  },
  {
    applies: (sky) => isFreezingRain(sky) || has(sky, 'PL'),
    text: (sky) => `${isFreezingRain(sky) ? 'freezing rain' : 'ice pellets'}: planes are de-iced and flights may stop`,
  },
  {
    applies: isHeavySnow,
    text: () => 'heavy snow: runways close while they are cleared',
  },
  { applies: (sky) => isWind(sky, GALE), text: (sky) => `gale, ${windFigure(sky)}: landings may stop` },
  {
    applies: ({ flight_category }) => flight_category === 'LIFR',
    text: (sky) =>
      `${isDry(sky) ? 'very poor visibility in sand, dust or smoke' : 'very low cloud or fog'}: expect delays, and flights may be diverted or cancelled`,
  },
  {
    applies: ({ raw = '' }) => /(^|(?<!NO) )WS (ALL ?RWY|((TKOF|LDG) )?R(WY ?)?\d\d)/.test(raw),
    text: () => 'wind shear near the runway: landings may be broken off, and flights may stop for a while',
  },
  {
    applies: (sky) => isWind(sky, STRONG) && !isWind(sky, GALE),
    text: (sky) => `strong wind, ${windFigure(sky)}: delays are likely at busy airports`,
  },
  {
    applies: (sky) => has(sky, 'SN', 'SG') && !isHeavySnow(sky),
    text: () => 'snow: de-icing takes time',
  },
  {
    applies: ({ flight_category }) => flight_category === 'IFR',
    text: () => 'low cloud or poor visibility: delays are likely at busy airports',
  },
  {
    applies: ({ flight_category }) => flight_category === 'MVFR',
    text: () => 'cloud or visibility may cost a busy airport some capacity',
    isSlight: true,
  },
]

/** Weather reports are made every hour: an older one says nothing of now. */
const MAX_AGE_OF_NOW_S = 2 * 3_600

/** Whether a report is too old to call what it has the weather of now. */
export const isOldReport = ({ age_seconds }: { age_seconds: number }): boolean => age_seconds > MAX_AGE_OF_NOW_S

/** The gravest thing in the weather that delays flights; null if nothing does, or a busy airport hardly notices it. */
export function delayingHazard(sky: ReportedSky): string | null {
  const found = HAZARDS.find(({ applies }) => applies(sky))
  return found === undefined || found.isSlight === true ? null : found.text(sky)
}

/** The same of a report; null also where it is too old to say what the weather is now. */
export const presentHazard = (report: (ReportedSky & { age_seconds: number }) | null | undefined): string | null =>
  report == null || isOldReport(report) ? null : delayingHazard(report)

/** Weather that delays flights, the gravest first; empty without any. */
export const hazardsOf = (sky: ReportedSky): string[] =>
  HAZARDS.filter(({ applies }) => applies(sky)).map(({ text }) => text(sky))

/** How grave the worst of the weather is: the lower, the graver; the length of the list where nothing delays flights. */
function gravityOf(sky: ReportedSky): number {
  const found = HAZARDS.findIndex(({ applies }) => applies(sky))
  return found === -1 ? HAZARDS.length : found
}

/** The parts of weather codes in words. */
const {
  intensities: INTENSITIES = {},
  descriptors: DESCRIPTORS = {},
  phenomena: PHENOMENA = {},
  groups: GROUPS = {},
} = projectTable<Record<string, string>>('answers/statements/weather-words.json')

/** Weather codes in words: `-SN BR` as `light snow, mist`. */
function weatherText(codes: string): string {
  if (codes === 'NSW') return 'no significant weather any more'
  return codes.split(' ').map(groupText).join(', ')
}

function groupText(group: string): string {
  if (GROUPS[group] !== undefined) return GROUPS[group]
  const isNear = group.includes('VC')
  const parts = lettersOf(group).match(/../g) ?? []
  const descriptors = parts.flatMap((part) => DESCRIPTORS[part] ?? [])
  const phenomena = parts.flatMap((part) => PHENOMENA[part] ?? [])
  const words = [
    INTENSITIES[group.charAt(0)],
    ...descriptors.map((word) => (phenomena.length > 0 ? word : word.replace(/ (of|with)$/, ''))),
    phenomena.join(' and '),
    isNear && 'nearby',
  ]
  return words.filter(Boolean).join(' ') || group
}

const KILOMETRES_PER_MILE = 1.609344

/** Reports in miles have whole ones from here on; 10 km are no 6.21 mi. */
const WHOLE_MILES = 3

function kilometresText(kilometres: number): string {
  if (kilometres > 0 && kilometres < 0.1) return `${Math.round(kilometres * 100) * 10} m`
  return `${kilometres < 5 ? Number(kilometres.toFixed(1)) : Math.round(kilometres)} km`
}

/** `10 mi (16 km) or more`, `more than 6 mi (10 km)`, `less than 0.25 mi (0.4 km)`. */
function visibilityText({ visibility_sm: miles, visibility_bound: bound }: Sky): string {
  if (miles === null) return 'visibility not reported'
  const shown = miles < WHOLE_MILES ? Number(miles.toFixed(2)) : Math.floor(miles + 0.01)
  const value = `${shown} mi (${kilometresText(miles * KILOMETRES_PER_MILE)})`
  if (bound === 'more_than') return `visibility more than ${value}`
  if (bound === 'less_than') return `visibility less than ${value}`
  return `visibility ${value}${bound === 'at_least' ? ' or more' : ''}`
}

/** A ceiling above this matters to no airliner. */
const LOW_CEILING_FT = 5_000
const METRES_PER_FOOT = 0.3048

/** `3,200 ft (980 m)`. */
export const heightText = (feet: number) =>
  `${feet.toLocaleString('en')} ft (${(Math.round((feet * METRES_PER_FOOT) / 10) * 10).toLocaleString('en')} m)`

function ceilingText({ ceiling_ft, ceiling_known }: Sky): string {
  if (ceiling_ft === 0) return 'cloud down to the ground'
  if (ceiling_ft !== null) return ceiling_ft > LOW_CEILING_FT ? 'no low cloud' : `cloud from ${heightText(ceiling_ft)}`
  return ceiling_known ? 'no low cloud' : 'height of the cloud not reported'
}

const COMPASS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

function windText({ wind_direction_deg: from, wind_kt: knots, wind_gust_kt: gust }: Sky): string {
  if (knots === null) return 'wind not reported'
  if (knots === 0) return 'wind calm'
  const direction = from === null ? 'variable wind' : `wind from the ${COMPASS[Math.round(from / 45) % 8]}`
  return `${direction} at ${Math.round(knots)} kt${gust === null ? '' : `, gusts ${Math.round(gust)} kt`}`
}

/** `−3 °C (27 °F)`. */
const temperatureText = (celsius: number) => `${Math.round(celsius)} °C (${Math.round(celsius * 1.8 + 32)} °F)`

/** Wind and weather, then visibility and cloud, then the temperature, as sentences of few numbers; each named when it is not reported. */
export function skyText(sky: Sky & { temperature_c?: number | null }): string {
  const { flight_category, weather, temperature_c = null } = sky
  const category = flight_category === null ? 'flight category not known' : `flight category ${flight_category}`
  const sentences = [
    [weather && weatherText(weather), windText(sky)].filter(Boolean).join(', '),
    [visibilityText(sky), ceilingText(sky)].join(', '),
    [temperature_c === null ? null : temperatureText(temperature_c), category].filter(Boolean).join(', '),
  ]
  return sentences.map(sentenceOf).join(' ')
}

/** The statements of a forecast period; the rest is unstated and continues. */
function changeText(period: TafPeriod): string {
  const { flight_category, weather } = period
  const parts = [
    flight_category,
    period.wind_kt === null ? null : windText(period),
    period.visibility_sm === null ? null : visibilityText(period),
    period.ceiling_ft === null ? null : ceilingText(period),
    weather && weatherText(weather),
  ]
  return parts.filter(Boolean).join(', ') || 'nothing is stated'
}

/** Whether a period states nothing, as that of a cancelled forecast. */
const isEmpty = ({ wind_kt, visibility_sm, ceiling_ft, ceiling_known, weather }: TafPeriod) =>
  wind_kt === null && visibility_sm === null && ceiling_ft === null && !ceiling_known && weather === null

const CHANGES = {
  FM: 'from then on',
  BECMG: 'changing to',
  TEMPO: 'at times, for under an hour',
  INTER: 'at times, for under half an hour',
  PROB: 'perhaps',
}

/** One period of a forecast with its times on the airport's clock. */
export function periodText(period: TafPeriod, airport: string, now: string): string {
  const { from, to, change, probability } = period
  const kind = [change && CHANGES[change], probability === null ? null : `${probability} % likely`].filter(Boolean)
  const isWhole = (change === null || change === 'FM') && !isEmpty(period)
  const sky = isWhole ? skyText(period) : sentenceOf(changeText(period))
  return `${spanTextAt(from, to, airport, now)}${kind.length > 0 ? `, ${kind.join(', ')}` : ''}: ${sky}`
}

/** The worst of a forecast, by what stops flights first, for as long as it lasts, with its lowest cloud and strongest wind; null when no period has a category or a wind. */
export function worstPeriod(periods: readonly TafPeriod[]): TafPeriod | null {
  const known = periods.filter(({ flight_category, wind_kt, weather }) => flight_category ?? wind_kt ?? weather)
  const worst = known.toSorted((a, b) => gravityOf(a) - gravityOf(b))[0]
  if (!worst) return null
  // Adjoining or overlapping periods are the same weather while equally grave and likely.
  const alike = known.filter(
    (period) =>
      gravityOf(period) === gravityOf(worst) &&
      isPassing(period) === isPassing(worst) &&
      period.probability === worst.probability,
  )
  const span = { ...worst }
  for (const { from, to, ceiling_ft, wind_kt, wind_gust_kt } of alike.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (from > span.to) break
    if (to > span.to) span.to = to
    if ((wind_gust_kt ?? wind_kt ?? 0) > (span.wind_gust_kt ?? span.wind_kt ?? 0))
      Object.assign(span, { wind_kt, wind_gust_kt })
    if (ceiling_ft !== null && ceiling_ft < (span.ceiling_ft ?? Number.POSITIVE_INFINITY)) span.ceiling_ft = ceiling_ft
  }
  return span
}

const isPassing = ({ change }: TafPeriod) => PASSING.has(change ?? '')

/** The gravest of a sky in words, with its cloud where that is what delays flights; of a forecast also that it comes and goes. */
export function worstText(sky: ReportedSky & Partial<Pick<TafPeriod, 'change'>>): string | null {
  const [worst] = hazardsOf(sky)
  if (worst === undefined) return null
  const hazard = sky.change === 'TEMPO' || sky.change === 'INTER' ? `at times ${worst}` : worst
  const isCloud = hazard.includes('cloud') && sky.ceiling_ft !== null && sky.ceiling_ft <= LOW_CEILING_FT
  return isCloud ? `${hazard}, ${ceilingText(sky)}` : hazard
}

/** The gravest forecast weather that delays flights at an instant (epoch ms): `the forecast for 17:30 has snow: …`. Null without any, or beyond the forecast. */
export function hazardText(periods: readonly TafPeriod[], instant: number, clock: string): string | null {
  const then = periods.filter(({ from, to }) => Date.parse(from) <= instant && instant < Date.parse(to))
  const worst = worstPeriod(then)
  const hazard = worst && delayingHazard(worst)
  if (!worst || hazard === null) return null
  return `the forecast for ${clock} ${isPassing(worst) ? 'may have' : 'has'} ${hazard}`
}
const PASSING: ReadonlySet<string> = new Set(['TEMPO', 'INTER', 'PROB'])

/** A report says something of flights this near to it. */
const REPORT_MATTERS_MS = 180 * MINUTE_MS

/** The weather in the newest report that delays a flight soon after it (epoch ms): `the report of 12 min ago has snow: …`. */
export function reportedHazardText(report: WeatherReport | null, instant: number): string | null {
  const hazard = report && delayingHazard(report)
  if (!report || hazard === null || instant > Date.parse(report.observed_at) + REPORT_MATTERS_MS) return null
  return `the report of${agoText(report.age_seconds)} has ${hazard}`
}
