import { quoted } from './outside-text.ts'

/**
 * What the FAA publishes as the reason of a delay or the text of a closure, in plain words. Only text of which every word is
 * known is translated; any other is quoted as it stands.
 */

/** Number and place of a NOTAM: `!LAX 05/277 LAX `. */
export const NOTAM_HEAD = /^!?([A-Z0-9]{3,4})\s+(\d{1,2}\/\d{1,4})\s+[A-Z0-9]{3,4}\s+/
/** `2605271826-2705281600`, `…-PERM`, `…-2705281600EST` (estimated), `WIE-UFN` (with immediate effect, until further notice). */
export const NOTAM_TAIL = /\s*\b(\d{10}|WIE|WEF)-(\d{10}|PERM|UFN)\s*(?:EST)?\s*\.?\s*$/

/** What a closure without exceptions says. */
export const CLOSED_WORDS = 'airport closed'

/** Control centres by their id (FAA Order JO 7350.9). */
const CENTERS: Record<string, string> = {
  ZAB: 'Albuquerque',
  ZAN: 'Anchorage',
  ZAU: 'Chicago',
  ZBW: 'Boston',
  ZDC: 'Washington',
  ZDV: 'Denver',
  ZFW: 'Fort Worth',
  ZHN: 'Honolulu',
  ZHU: 'Houston',
  ZID: 'Indianapolis',
  ZJX: 'Jacksonville',
  ZKC: 'Kansas City',
  ZLA: 'Los Angeles',
  ZLC: 'Salt Lake City',
  ZMA: 'Miami',
  ZME: 'Memphis',
  ZMP: 'Minneapolis',
  ZNY: 'New York',
  ZOA: 'Oakland',
  ZOB: 'Cleveland',
  ZSE: 'Seattle',
  ZSU: 'San Juan',
  ZTL: 'Atlanta',
}

const CATEGORIES: Record<string, string> = {
  WX: 'weather',
  WEATHER: 'weather',
  VOL: 'traffic volume',
  VOLUME: 'traffic volume',
  RWY: 'runway',
  RUNWAY: 'runway',
  TWY: 'taxiway',
  EQ: 'equipment',
  EQUIPMENT: 'equipment',
  STAFF: 'staffing',
  STAFFING: 'staffing',
  VIPM: 'VIP movement',
  SECURITY: 'security',
  OTHER: 'other',
}

/** What a traffic management initiative does to flights. */
const INITIATIVES: Record<string, string> = {
  MIT: 'flights are spaced further apart',
  MINIT: 'flights are spaced further apart',
  DSP: 'departures are fitted into gaps',
  ESP: 'flights are spaced on the way',
  SWAP: 'flights are sent around it',
  STOP: 'departures are stopped',
  OTHER: '',
}

/** Phrases and contractions (FAA Order JO 7930.2, appendix) with their words, the longer before the shorter. */
const PHRASES: [pattern: RegExp, words: string][] = [
  [/\b(?:AD AP|AD|AP|ARPT|AERODROME) (?:CLSD|CLOSED)\b/g, CLOSED_WORDS],
  [/\b(\d+) ?HRS? PPR\b/g, 'with permission asked <$1> hours before'],
  [/\b(\d+) ?MINS? PPR\b/g, 'with permission asked <$1> minutes before'],
  [/\bPPR\b/g, 'with permission asked before'],
  [/\bWX VIS\b/g, 'low visibility'],
  [/\b(?:NON|UN)[- ]?SKED\b/g, 'unscheduled'],
  [/\bSKED\b/g, 'scheduled'],
  [/\b(?:LIFE ?FLT|LIFEFLT|LIFEGUARD|MEDEVAC)\b/g, 'ambulance'],
  [/\bRWY ?(\d\d[LCR]?)\b/g, 'runway <$1>'],
  [/\b(\d+) ?FT\b/g, '<$1> feet'],
  [/\bTAIL (?:HGT|HEIGHT)\b/g, 'tail height'],
  [/\bF-?35\b/g, '<F-35>'],
  [/\bS&R\b/g, 'search and rescue'],
  [/\bTOUCH AND GO\b/g, 'practice'],
  [/\bCOMPACTED DEMAND\b/g, 'many flights at the same time'],
  [/\bMULTI-TAXI\b/g, 'many aircraft taxiing'],
  [/\bOUT OF SERVICE\b/g, 'out of service'],
  [/\b(?:RWY|RUNWAY) CHANGE\b/g, 'change of runway'],
  [/\bAIRPORT VOLUME\b/g, 'traffic volume at the airport'],
  [/\bAIRSPACE VOLUME\b/g, 'traffic volume in the airspace'],
  [/\b([A-Z]{3}) (RELEASES|STOP)\b/g, '<$1> $2'],
]

/** Contractions of single words. */
const CONTRACTIONS: Record<string, string> = {
  ACFT: 'aircraft',
  ACR: 'airlines',
  AD: 'airport',
  AP: 'airport',
  ARPT: 'airport',
  ARR: 'arrivals',
  CLSD: 'closed',
  CONST: 'construction',
  DEP: 'departures',
  EMERG: 'emergency',
  EQ: 'equipment',
  EXC: 'except',
  EXCEPT: 'except',
  FLT: 'flight',
  FLTS: 'flights',
  FREQ: 'radio frequency',
  GA: 'general aviation',
  HEL: 'helicopters',
  HELO: 'helicopters',
  HGT: 'height',
  ILS: 'instrument landing system',
  LGT: 'lights',
  LGTG: 'lighting',
  LGTS: 'lights',
  MAINT: 'maintenance',
  MIL: 'military',
  OBST: 'obstruction',
  OPS: 'operations',
  OTS: 'out of service',
  PJE: 'parachute jumps',
  PVT: 'private',
  RWY: 'runway',
  SAR: 'search and rescue',
  SEV: 'severe',
  SN: 'snow',
  STAFF: 'staffing',
  TGL: 'practice landings',
  TRG: 'training',
  TURB: 'turbulence',
  TWR: 'tower',
  TWY: 'taxiway',
  UAS: 'drones',
  VIS: 'visibility',
  VOL: 'traffic volume',
  VOLUME: 'traffic volume',
  VTOL: 'vertical landing aircraft',
  WINDSHEAR: 'wind shear',
  WIP: 'work in progress',
  WX: 'weather',
  CEILINGS: 'clouds',
  CEILING: 'clouds',
  FAA: 'FAA',
  VIP: 'VIP',
  'S&R': 'search and rescue',
}

/** Words that mean what they say. */
const PLAIN = new Set(
  `a above accident advantage after air aircraft airline airlines airport airshow airspace all ambulance an and animal apart apron
  arrivals asked aviation because before below bird birds bridge by carrier carriers change closed closure communications computer
  configuration construction converging debris deicing departures disabled display dog due during dust electrical emergency
  environmental equipment event except facility feet fire firefighting flight flights flood fog for freezing from gate gear general
  go hail haze heavy height helicopter helicopters hours hurricane ice icing in is issue jumps landing landings large law
  enforcement less lighting lightning lights low maintenance many marking medical microburst microbursts military minutes mitigation
  more movement navigation necessity no noise abatement obstruction of on only operational operations or other outage parachute
  parking patrol pavement permission personnel police power practice president prior private procedure radar radio rain release
  releases repair rescue resurfacing route runway runways safety same scheduled search security service severe shear shortage show
  sleet smoke snow special spill staffing stop storm storms strike student sweeping system tail taxiing taxiway than the thunderstorm
  thunderstorms time to tornado tower traffic training transient treatment tropical turbulence unscheduled vehicle visibility volcanic
  ash volume wake water weather wet wildlife wind winds wingspan winter with work at out clouds demand tail many flights instrument
  frequency drones vertical progress`
    .split(/\s+/)
    .filter(Boolean),
)

const CONTACT = /\b(?:CTC|CONTACT)\b.*|\b(?:\d{3}-)?\d{3}-\d{4}\b/g
/** Hours and weekdays of a NOTAM, which are separate from its words. */
const SCHEDULE = /\b(?:DLY|(?:SUN|MON|TUE|WED|THU|FRI|SAT)(?:-(?:SUN|MON|TUE|WED|THU|FRI|SAT))?|\d{4}-\d{4})\b,?/g

/** A text in plain words; null when one of its words is not known. */
function plainWords(text: string): string | null {
  let expanded = text
    .toUpperCase()
    .replace(/\s*\/\s*/g, ' or ')
    .replace(/ - /g, ', ')
  for (const [pattern, words] of PHRASES) expanded = expanded.replace(pattern, words)
  const words = expanded
    .replace(/\.$/, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((token) => {
      const [, word = '', comma = ''] = /^(.*?)(,?)$/.exec(token)!
      const plain = plainWord(word)
      return plain === null ? null : plain + comma
    })
  return words.length > 0 && words.every((word) => word !== null) ? words.join(' ') : null
}

function plainWord(word: string): string | null {
  const [, kept] = /^<([A-Z0-9-]+)>$/.exec(word) ?? []
  if (kept !== undefined) return kept
  const centre = CENTERS[word]
  if (centre !== undefined) return `${centre} Center`
  const contraction = CONTRACTIONS[word]
  if (contraction !== undefined) return contraction
  return PLAIN.has(word.toLowerCase()) ? word.toLowerCase() : null
}

/** The words of a reason in the coded vocabulary (`CATEGORY:detail[:cause]`); null when one of its parts is not known. */
function codedReason(text: string): string | null {
  const [head = '', ...details] = text.split(':').map((part) => part.trim())
  if (head.toUpperCase() === 'TM INITIATIVES') {
    const [measure = '', cause = ''] = details
    const [what, why] = [INITIATIVES[measure.toUpperCase()], causeWords(cause)]
    return what === undefined || why === null ? null : [why, what].filter(Boolean).join('; ')
  }
  const category = CATEGORIES[head.toUpperCase()]
  const detail = plainWords(details.join(' '))
  if (category === undefined || detail === null) return null
  if (category === 'other' || category === 'weather' || detail.includes(category)) return detail
  if (category === 'runway' || category === 'taxiway') return pavementWords(category, detail)
  if (category === 'equipment') return /outage|out of service/.test(detail) ? detail : `equipment (${detail})`
  return detail
}

/** What is wrong with a runway or taxiway, or on it. */
function pavementWords(category: string, detail: string): string {
  if (/^(?:aircraft|animal|debris|disabled|foreign|obstruction|vehicle)\b/.test(detail))
    return `${detail} on the ${category}`
  return /\brunways?\b|noise/.test(detail) ? detail : `${category} ${detail}`
}

const causeWords = (cause: string) => CATEGORIES[cause.toUpperCase()] ?? plainWords(cause)

/** The words of the reason of a delay program, like `wind` for `WX:Wind`; the text in quotation marks where they are not known. */
export function reasonWords(reason: string): string {
  const [, centre, rest = reason] = /^(Z[A-Z]{2})\/(.*)$/.exec(reason.trim()) ?? []
  const words = rest.includes(':') ? codedReason(rest) : (CATEGORIES[rest.trim().toUpperCase()] ?? plainWords(rest))
  if (words === null) return quoted(reason)
  if (centre === undefined) return words
  return CENTERS[centre] === undefined ? quoted(reason) : `${words} in the airspace of ${CENTERS[centre]} Center`
}

/**
 * The words of a closure, like `airport closed except helicopters` for `!ASE 08/012 ASE AD AP CLSD EXC HEL DLY 0430-0945
 * 2608110430-2608220945`: without its number, hours, period and telephone numbers. Quoted where a word is not known.
 */
export function closureWords(text: string): string {
  const body = text
    .replace(NOTAM_HEAD, '')
    .replace(NOTAM_TAIL, '')
    .toUpperCase()
    .replace(CONTACT, '')
    .replace(SCHEDULE, '')
  return plainWords(body) ?? quoted(text)
}
