import { countOf } from './counted-words.ts'

/** An hour of a dial in words or figures, with no minutes behind it. */
const HOUR = String.raw`(?<hour>\p{L}+|\d{1,2})(?![\p{L}\d]| *[:.h]\d)`

/** How the minutes of a dial are said around its hour, the minutes where the words do not have them, and whether they are those before it. */
const DIALS: readonly { words: RegExp; minutes?: number; isBefore?: boolean }[] = [
  {
    words: new RegExp(
      String.raw`\b(?<minutes>five|ten|twenty(?:[- ]five)?|[1-5]?\d) (?:min(?:ute)?s? )?(?:past|after) ${HOUR}(?: *o'clock)?`,
      'iu',
    ),
  },
  // Of "5 to 7 pm" both are hours.
  {
    words: new RegExp(
      String.raw`\b(?<minutes>five|ten|twenty(?:[- ]five)?|[1-5]?\d(?= min)) (?:min(?:ute)?s? )?(?:to|before) ${HOUR}(?: *o'clock)?`,
      'iu',
    ),
    isBefore: true,
  },
  { words: new RegExp(String.raw`\b${HOUR} (?<minutes>fifteen|thirty|forty[- ]five)\b`, 'iu') },
  { words: new RegExp(String.raw`\bhalf past ${HOUR}(?: *o'clock)?`, 'iu'), minutes: 30 },
  { words: new RegExp(String.raw`\b(?:an? )?quarter past ${HOUR}(?: *o'clock)?`, 'iu'), minutes: 15 },
  { words: new RegExp(String.raw`\b(?:an? )?quarter to ${HOUR}(?: *o'clock)?`, 'iu'), minutes: 45, isBefore: true },
  // `halb acht`, `halv åtta`, and of Dutch words `half acht`.
  { words: new RegExp(String.raw`\bhal[bv] ${HOUR}(?: +uhr)?`, 'iu'), minutes: 30, isBefore: true },
  {
    words: /\bhalf (?<hour>een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf)\b/i,
    minutes: 30,
    isBefore: true,
  },
  { words: new RegExp(String.raw`\b(?:viertel nach|kwart over|kvart över) ${HOUR}`, 'iu'), minutes: 15 },
  { words: new RegExp(String.raw`\b(?:viertel vor|kwart voor|kvart i) ${HOUR}`, 'iu'), minutes: 45, isBefore: true },
  { words: /(?<![\p{L}\d])(?<hour>\p{L}+|\d{1,2})(?: ?h(?:eures?)?)? et demie?(?!\p{L})/iu, minutes: 30 },
  {
    words: /(?<![\p{L}\d])(?<hour>\p{L}+|\d{1,2}) (?:y media|e mezz[ao]|e meia|giờ rưỡi|buçu(?:k|kta))(?!\p{L})/iu,
    minutes: 30,
  },
  {
    words: /(?<![\p{L}\d])(?<hour>\p{L}+|\d{1,2})(?: ?h(?:eures?)?)? (?:et quart|y cuarto|e un quarto)(?!\p{L})/iu,
    minutes: 15,
  },
  {
    words:
      /(?<![\p{L}\d])(?<hour>\p{L}+|\d{1,2})(?: ?h(?:eures?)?)? (?:moins le quart|menos cuarto|meno un quarto)(?!\p{L})/iu,
    minutes: 45,
    isBefore: true,
  },
  { words: /\b(?<hour>[a-z]+|\d{1,2}) ?o'clock\b/i, minutes: 0 },
]

/** An hour in words beside its unit or behind the word for "at": `um acht Uhr`, `a las ocho`, `seven am`. */
const SPOKEN_HOUR =
  /(?<!\p{L})(?<hour>\p{L}+)(?= (?:[ap]\.?m\b|uhr|heures?|uur|horas?)(?!\p{L}))|(?<=(?<!\p{L})(?:a las?|alle|às|à) )(?<behind>\p{L}+)/giu

const hourOf = (text: string): number | null => {
  const hour = countOf(text)
  return Number.isInteger(hour) && hour >= 1 && hour <= 12 ? hour : null
}

/** The words of a dial as a clock of figures: `6:30 tomorrow` for `half past six tomorrow`, `7:45` for `quarter to 8`, `7:30` for `halb acht`, `3:00 pm` for `3 o'clock pm`. */
export function withDialInFigures(text: string): string {
  for (const { words, minutes, isBefore } of DIALS) {
    const said = words.exec(text)?.groups
    const hour = hourOf(said?.['hour'] ?? '')
    if (hour === null) continue
    const spoken = minutes ?? countOf(said!['minutes']!.replace('-', ' '))
    const count = minutes === undefined && isBefore ? 60 - spoken : spoken
    const hours = isBefore ? ((hour + 10) % 12) + 1 : hour
    return text.replace(words, `${hours}:${String(count).padStart(2, '0')}`)
  }
  return text.replace(SPOKEN_HOUR, (spoken) => String(hourOf(spoken) ?? spoken))
}

const HALF_OF_HOUR = /\bhalf (?<hour>[a-z]+|\d{1,2})\b/i

/** `half seven` of a text, which is 7:30 in Britain and 6:30 in other countries; null if it has no such words. */
export function ambiguousHalf(text: string): string | null {
  const [words, hour = ''] = HALF_OF_HOUR.exec(text) ?? []
  return words !== undefined && !/^an?$/i.test(hour) && hourOf(hour) !== null ? words : null
}
