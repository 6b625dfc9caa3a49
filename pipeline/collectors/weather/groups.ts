import { rounded } from '../../../forecasting/statistics/statistics.ts'
import { type Sky, skyOf } from './sky.ts'

/** The groups of a METAR or of one period of a TAF: what is stated. A group that is missing or made of slashes is null. */
export interface StatedGroups extends Sky {
  temperature_c: number | null
  dewpoint_c: number | null
  altimeter_hpa: number | null
}

const KNOTS_PER: Record<string, number> = { KT: 1, KTS: 1, MPS: 3_600 / 1_852, KMH: 1 / 1.852, KPH: 1 / 1.852 }
const METRES_PER_MILE = 1_609.344
const HECTOPASCAL_PER_INCH = 33.8639

/** Direction, speed and gust: `28015G25KT`, `VRB03MPS`, `/////KT`, `280P99KT`. A wind without a unit is not known. */
const WIND = /^(\d{3}|VRB|\/{3})(P?\d{2,3}|\/{2,3})(?:G(P?\d{2,3}|\/{2}))?(KTS?|MPS|KMH|KPH)$/

/** Statute miles: `10SM`, `P6SM`, `M1/4SM`, `1 1/2SM`, `11/2SM` (Canada: one and a half). */
const MILES = /^([MP]?)(?:(\d{1,3}) )?(\d{1,3})(?:\/(\d{1,2}))?SM$/
const METRES = /^(\d{4})(?:NDV)?$/
const KILOMETRES = /^([MP]?)(\d{1,3})KM$/

/** Cover, base in hundreds of feet and kind: `BKN008`, `SCT025CB`, `OVC///`, `///074///`, `VV002`, `SCT20TCU`. */
const CLOUD = /^(FEW|SCT|BKN|OVC|VV|\/{3})(\d{2,3}|\/{3})(?:CB|TCU|\/{3}|(?:TCU\/CB)|C)?$/
const NO_CLOUD = new Set(['SKC', 'CLR', 'NSC', 'NCD', 'NCLD'])
const CEILING_COVERS = new Set(['BKN', 'OVC', 'VV'])

const WEATHER =
  /^(?:\+|-)?(?:VC)?(?:MI|PR|BC|DR|BL|SH|TS|FZ|DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+$/
/** A descriptor that is no weather by itself. */
const DESCRIPTOR_ALONE = /^(?:\+|-|VC)?(?:MI|PR|BC|DR|BL|FZ)$/

const TEMPERATURE_PART = 'M?\\d{2}|/{2,3}|XX|MM?|'
const TEMPERATURE = new RegExp(`^(${TEMPERATURE_PART})/(${TEMPERATURE_PART})$`)
const ALTIMETER = /^(?:QNH|Q|A)(\d{4})(?:INS)?$/

/** Groups that a report may hold and that nothing here is made of. */
const NOT_USED = [
  // The wind varies between two directions; a lowest visibility with its direction, or with the direction alone.
  /^\d{3}V\d{3}$/,
  /^\d{4}(?:N|NE|E|SE|S|SW|W|NW)$/,
  // Runway visual range and state, recent weather, wind shear.
  /^R(?:VR)?\/?\d{2}[LCR]{0,2}\/\S+$/,
  /^R\/SNOCLO$/,
  /^RE(?:[A-Z]{2}){1,4}$/,
  /^WS(?:\d{3}\/\d{5,6}(?:G\d{2,3})?KT)?$/,
  // Highest and lowest temperature; icing and turbulence in forecasts of armed forces.
  /^T[XN]?M?\d{2}\/\d{2,4}Z?$/,
  /^[56]\d{5}$/,
  // Words of the header that come late, words for a runway, and what an automatic station could not measure.
  /^(?:AUTO|COR|NIL|CNL|NDV|SNOCLO|RE\/\/|M|\$|R?\/+(?:SM|KT|KM)?)$/,
  /^(?:ALL|RWY|(?:R|RWY)\d{2}[LCR]?)$/,
]

/** Whether a group is of a kind that reports have. What is none was mistyped, or is of a practice that is not known here. */
export function isGroup(token: string): boolean {
  if (token === 'CAVOK' || token === 'NSW' || NO_CLOUD.has(token.replace(/\/{3}$/, ''))) return true
  if ([WIND, MILES, METRES, KILOMETRES, CLOUD, TEMPERATURE, ALTIMETER].some((kind) => kind.test(token))) return true
  if (isAltimeter(token) || DESCRIPTOR_ALONE.test(token) || NOT_USED.some((kind) => kind.test(token))) return true
  return token.split('/').every((part) => WEATHER.test(part))
}

/** The groups that are of no known kind. */
export const unknownGroups = (tokens: readonly string[]) => joinSplitMiles(tokens).filter((token) => !isGroup(token))

/** Whether a group is the altimeter setting, the last group of an observation before trends and remarks. */
export const isAltimeter = (token: string) => /^(?:Q|A)(?:\d{4}|\/{4})$/.test(token)

/** Reads the groups of one observation or forecast period. The first group of each kind counts. Groups of other kinds are skipped. */
export function readGroups(tokens: readonly string[]): StatedGroups {
  const groups = joinSplitMiles(tokens)
  const isFine = groups.includes('CAVOK')
  const temperature = TEMPERATURE.exec(groups.find((token) => /\d/.test(token) && TEMPERATURE.test(token)) ?? '')
  return {
    ...skyOf({
      wind: windOf(groups),
      visibility: isFine ? TEN_KILOMETRES : visibilityOf(groups),
      ceiling: isFine ? NO_CEILING : ceilingOf(groups),
      weather: weatherOf(groups),
    }),
    temperature_c: celsius(temperature?.[1]),
    dewpoint_c: celsius(temperature?.[2]),
    altimeter_hpa: altimeterOf(groups),
  }
}

/** `9999` and CAVOK: ten kilometres or more. */
const TEN_KILOMETRES: Visibility = {
  visibility_sm: rounded(10_000 / METRES_PER_MILE, 2),
  visibility_bound: 'at_least',
}
const NO_CEILING = { ceiling_ft: null, ceiling_known: true }

/** `1 1/2SM` is sent as two groups, and some stations put a space before the unit. */
function joinSplitMiles(tokens: readonly string[]): string[] {
  const joined: string[] = []
  for (const token of tokens) {
    const before = joined.at(-1) ?? ''
    const isFraction = /^\d\/\d{1,2}SM$/.test(token) && /^[MP]?\d{1,2}$/.test(before)
    const isUnit = /^(SM|KM)$/.test(token) && /^[MP]?[\d/]{1,4}$/.test(before)
    if (isFraction) joined.splice(-1, 1, `${before} ${token}`)
    else if (isUnit) joined.splice(-1, 1, `${before}${token}`)
    else joined.push(token)
  }
  return joined
}

function windOf(groups: readonly string[]): Pick<Sky, 'wind_direction_deg' | 'wind_kt' | 'wind_gust_kt'> {
  const match = groups.map((token) => WIND.exec(token)).find((found) => found !== null)
  const [, direction = '', speed = '', gust = '', unit = ''] = match ?? []
  const degrees = /^\d/.test(direction) ? Number(direction) : null
  return {
    wind_direction_deg: degrees !== null && degrees <= 360 ? degrees : null,
    wind_kt: knots(speed, unit),
    wind_gust_kt: knots(gust, unit),
  }
}

/** A speed in knots; P99 ("more than 99") keeps the number. */
function knots(text: string, unit: string): number | null {
  const value = Number.parseInt(text.replace('P', ''), 10)
  return Number.isNaN(value) ? null : rounded(value * KNOTS_PER[unit]!, 1)
}

type Visibility = Pick<Sky, 'visibility_sm' | 'visibility_bound'>
const BOUNDS = { M: 'less_than', P: 'more_than' } as const

/** The prevailing visibility, which is the first one; a lowest visibility with a direction (`1000NW`) is not it. */
function visibilityOf(groups: readonly string[]): Visibility {
  for (const token of groups) {
    const found = visibilityOfGroup(token)
    if (found) return found
  }
  return { visibility_sm: null, visibility_bound: null }
}

function visibilityOfGroup(token: string): Visibility | null {
  const miles = MILES.exec(token)
  if (miles) return milesOf(miles)
  const metres = METRES.exec(token)
  if (metres?.[1] === '9999') return TEN_KILOMETRES
  // 0000 is sent for less than 50 m.
  if (metres) return { visibility_sm: rounded(Number(metres[1]) / METRES_PER_MILE, 2), visibility_bound: null }
  const kilometres = KILOMETRES.exec(token)
  if (!kilometres) return null
  return {
    visibility_sm: rounded((Number(kilometres[2]) * 1_000) / METRES_PER_MILE, 2),
    visibility_bound: BOUNDS[kilometres[1] as 'M' | 'P'] ?? null,
  }
}

function milesOf([, sign = '', whole = '', numerator = '', denominator = '']: RegExpExecArray): Visibility | null {
  const bound = BOUNDS[sign as 'M' | 'P'] ?? null
  if (denominator === '') {
    if (whole !== '') return null
    // Automatic stations in the US measure up to ten miles and send 10SM for all that is more.
    return { visibility_sm: Number(numerator), visibility_bound: bound ?? (numerator === '10' ? 'at_least' : null) }
  }
  if (Number(denominator) === 0) return null
  const isGlued = numerator.length > 1 && Number(numerator) > Number(denominator)
  const ones = whole || (isGlued ? numerator.slice(0, -1) : '0')
  const parts = isGlued ? numerator.slice(-1) : numerator
  return { visibility_sm: rounded(Number(ones) + Number(parts) / Number(denominator), 4), visibility_bound: bound }
}

/**
 * The lowest broken or overcast layer or the vertical visibility, in feet above ground. Layers are sent from the lowest
 * up, so a layer of unknown base or amount below it leaves the ceiling unknown; a report without any cloud group too.
 */
function ceilingOf(groups: readonly string[]): Pick<Sky, 'ceiling_ft' | 'ceiling_known'> {
  const unknown = { ceiling_ft: null, ceiling_known: false }
  const isClear = groups.some((token) => NO_CLOUD.has(token.replace(/\/{3}$/, '')))
  let isStated = isClear
  for (const token of groups) {
    const [, cover = '', base = ''] = CLOUD.exec(token) ?? []
    if (cover === '') continue
    if (cover === '///') {
      // An automatic station sends //////CB for a storm cloud beside the layers that it has measured.
      if (/(CB|TCU)$/.test(token) && isStated) continue
      return unknown
    }
    isStated = true
    if (!CEILING_COVERS.has(cover)) continue
    // A base of two digits lacks one, and nobody knows which.
    return base.length === 3 && base !== '///' ? { ceiling_ft: Number(base) * 100, ceiling_known: true } : unknown
  }
  return isStated ? NO_CEILING : unknown
}

/** Whether the groups say anything about clouds, if only that they are not known. */
export const mentionsClouds = (tokens: readonly string[]) =>
  tokens.some((token) => token === 'CAVOK' || NO_CLOUD.has(token) || CLOUD.test(token))

/** Present weather as coded; recent weather (RERA) and `//` are not present weather. Indian reports join groups with a slash. NSW: none any more. */
function weatherOf(groups: readonly string[]): string | null {
  const found = groups
    .flatMap((token) => (/^[A-Z+-]+\/[A-Z+-]+$/.test(token) ? token.split('/') : [token]))
    .filter((token) => token === 'NSW' || (WEATHER.test(token) && !DESCRIPTOR_ALONE.test(token)))
  return found.join(' ') || null
}

function celsius(text: string | undefined): number | null {
  if (text === undefined || !/^M?\d{2}$/.test(text)) return null
  const degrees = Number(text.slice(-2))
  return text.startsWith('M') && degrees !== 0 ? -degrees : degrees
}

/** The altimeter setting in hectopascal: `Q1013`, `A2992` (hundredths of an inch of mercury). */
function altimeterOf(groups: readonly string[]): number | null {
  for (const token of groups) {
    const digits = ALTIMETER.exec(token)?.[1]
    if (digits === undefined) continue
    const value = Number(digits)
    const isInches = token.startsWith('A') || token.endsWith('INS')
    return isInches ? rounded((value / 100) * HECTOPASCAL_PER_INCH, 1) : value
  }
  return null
}
