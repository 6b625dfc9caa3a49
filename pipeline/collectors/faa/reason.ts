/** The category of a delay's or closure's reason. */
export type ReasonCategory =
  | 'weather'
  | 'volume'
  | 'runway'
  | 'equipment'
  | 'staffing'
  | 'security'
  | 'closure'
  | 'other'

/** Categories of the coded vocabulary (`CATEGORY:detail[:cause]`). TM Initiatives are not here: their cause counts. */
const CODES: Record<string, ReasonCategory> = {
  WX: 'weather',
  WEATHER: 'weather',
  VOL: 'volume',
  VOLUME: 'volume',
  RWY: 'runway',
  RUNWAY: 'runway',
  TWY: 'runway',
  EQ: 'equipment',
  EQUIPMENT: 'equipment',
  STAFF: 'staffing',
  STAFFING: 'staffing',
  VIPM: 'security',
  SECURITY: 'security',
  OTHER: 'other',
}

/** Words of the other vocabulary. The first match wins: an aircraft's trouble on a runway counts as the runway's. */
const WORDS: [RegExp, ReasonCategory][] = [
  [/\b(?:runway|rwy|taxiway|twy)\b/i, 'runway'],
  [/\b(?:wx|weather|wind|wind ?shear|microbursts?|turb(?:ulence)?|thunderstorms?|storms?|lightning)\b/i, 'weather'],
  [/\b(?:tornado|hurricane|tropical|rain|snow|ice|icing|freezing|sleet|hail|fog|haze|smoke|volcanic)\b/i, 'weather'],
  [/\b(?:low )?(?:ceilings?|visibility|vis)\b/i, 'weather'],
  [/\b(?:volume|vol|demand|multi-taxi)\b/i, 'volume'],
  [/\bstaff(?:ing)?\b/i, 'staffing'],
  [/\b(?:equipment|outage|radar)\b/i, 'equipment'],
  [/\b(?:security|vip)\b/i, 'security'],
  [/\b(?:closed|closure|clsd)\b/i, 'closure'],
  [/\b(?:other|military|air show|bird strike|emergency|disabled aircraft|noise abatement)\b/i, 'other'],
]

const categoryInWords = (text: string) => WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? null

/**
 * The category of a reason in either of the FAA's vocabularies; null when no word of it is known. The raw text is kept
 * beside it. A centre may stand before a code (`ZDC/VOL:Volume`).
 */
export function reasonCategory(reason: string): ReasonCategory | null {
  const parts = reason.replace(/^Z[A-Z]{2}\//, '').split(':')
  const head = parts[0]!.trim().toUpperCase()
  if (head === 'TM INITIATIVES') return causeOf(parts.at(-1)!)
  return CODES[head] ?? categoryInWords(reason)
}

/** The cause of a traffic management initiative: volume for `MIT:VOL`, weather for `SWAP:WX`. */
function causeOf(cause: string): ReasonCategory | null {
  return CODES[cause.trim().toUpperCase()] ?? categoryInWords(cause)
}
