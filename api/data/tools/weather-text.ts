import type { FlightCategory } from '../../../config/domain.ts'
import type { TafPeriod } from '../../../warehouse/publishing/read/tafs.ts'
import type { Sky } from '../../../warehouse/publishing/read/weather.ts'
import { clockText } from './local-clock.ts'

/** Weather reports and forecasts in plain words. */

/** What a flight category means for flights; it counts ceiling and visibility alone. */
export const CATEGORY_MEANINGS: Record<FlightCategory, string> = {
  VFR: 'cloud and visibility delay nobody',
  MVFR: 'cloud or visibility may cost a busy airport some capacity',
  IFR: 'low cloud or poor visibility: delays are likely at busy airports',
  LIFR: 'very low cloud or fog: expect delays, and diversions or cancellations are possible',
}

const INTENSITIES: Record<string, string> = { '-': 'light', '+': 'heavy' }
const DESCRIPTORS: Record<string, string> = {
  MI: 'shallow',
  PR: 'partial',
  BC: 'patches of',
  DR: 'low drifting',
  BL: 'blowing',
  SH: 'showers of',
  TS: 'thunderstorm with',
  FZ: 'freezing',
}
const PHENOMENA: Record<string, string> = {
  DZ: 'drizzle',
  RA: 'rain',
  SN: 'snow',
  SG: 'snow grains',
  IC: 'ice crystals',
  PL: 'ice pellets',
  GR: 'hail',
  GS: 'small hail',
  UP: 'precipitation',
  BR: 'mist',
  FG: 'fog',
  FU: 'smoke',
  VA: 'volcanic ash',
  DU: 'dust',
  SA: 'sand',
  HZ: 'haze',
  PY: 'spray',
  PO: 'dust whirls',
  SQ: 'squalls',
  FC: 'funnel cloud',
  SS: 'sandstorm',
  DS: 'dust storm',
}

/** Weather codes in words with the codes behind them: `-SN BR` as `light snow, mist (-SN BR)`. */
function weatherText(codes: string): string {
  if (codes === 'NSW') return 'no significant weather any more'
  return `${codes.split(' ').map(groupText).join(', ')} (${codes})`
}

function groupText(group: string): string {
  const isNear = group.includes('VC')
  const letters = group.replace(/^[+-]/, '').replace('VC', '')
  const parts = letters.match(/../g) ?? []
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

/** `10 mi (16 km) or more`, `more than 6 mi (10 km)`, `less than 0.25 mi (0.4 km)`. */
function visibilityText({ visibility_sm: miles, visibility_bound: bound }: Sky): string {
  if (miles === null) return 'visibility not reported'
  const kilometres = miles * KILOMETRES_PER_MILE
  const value = `${Number(miles.toFixed(2))} mi (${kilometres < 5 ? Number(kilometres.toFixed(1)) : Math.round(kilometres)} km)`
  if (bound === 'more_than') return `visibility more than ${value}`
  if (bound === 'less_than') return `visibility less than ${value}`
  return `visibility ${value}${bound === 'at_least' ? ' or more' : ''}`
}

function ceilingText({ ceiling_ft, ceiling_known }: Sky): string {
  if (ceiling_ft !== null) return `ceiling ${ceiling_ft} ft`
  return ceiling_known ? 'no ceiling' : 'ceiling not reported'
}

function windText({ wind_direction_deg: from, wind_kt: knots, wind_gust_kt: gust }: Sky): string {
  if (knots === null) return 'wind not reported'
  if (knots === 0) return 'wind calm'
  const direction = from === null ? 'variable wind' : `wind from ${from}°`
  return `${direction} at ${Math.round(knots)} kt${gust === null ? '' : `, gusts ${Math.round(gust)} kt`}`
}

/** Flight category, wind, visibility, ceiling, weather and temperature of a report, each named when it is not reported. */
export function skyText(sky: Sky & { temperature_c?: number | null }): string {
  const { flight_category, weather, temperature_c = null } = sky
  const parts = [
    flight_category ?? 'flight category not known',
    windText(sky),
    visibilityText(sky),
    ceilingText(sky),
    weather && weatherText(weather),
    temperature_c === null ? null : `${Math.round(temperature_c)} °C`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** What a period of a forecast states; it is silent about the rest, which continues. */
function changeText(period: TafPeriod): string {
  const { flight_category, weather } = period
  const parts = [
    flight_category,
    period.wind_kt === null ? null : windText(period),
    period.visibility_sm === null ? null : visibilityText(period),
    period.ceiling_ft === null ? null : ceilingText(period),
    weather && weatherText(weather),
  ]
  return parts.filter(Boolean).join(', ') || 'nothing stated'
}

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
  const sky = change === null || change === 'FM' ? skyText(period) : changeText(period)
  return `${clockText(from, airport, now)} to ${clockText(to, airport, now)}${kind.length > 0 ? `, ${kind.join(', ')}` : ''}: ${sky}.`
}

const WORST_FIRST: FlightCategory[] = ['LIFR', 'IFR', 'MVFR', 'VFR']

/** The worst period of a forecast, for the first lines of an answer; null when no period has a category. */
export function worstPeriod(periods: readonly TafPeriod[]): TafPeriod | null {
  for (const category of WORST_FIRST) {
    const found = periods.find(({ flight_category }) => flight_category === category)
    if (found) return found
  }
  return null
}

/** What the report says beside its decoded groups: SNOCLO is the code for an aerodrome or runway closed by snow. */
export function closureNote(raw: string): string | null {
  if (/(^| )(R\/)?SNOCLO(=| |$)/.test(raw)) return 'The report says SNOCLO: the aerodrome is closed by snow.'
  return /\/SNOCLO/.test(raw) ? 'The report says that a runway is closed by snow (SNOCLO).' : null
}
