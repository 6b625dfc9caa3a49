import { once } from '../../config/once.ts'
import { countOf, wordsOfCount } from './counted-words.ts'

/** An hour of a dial in words or figures, with no minutes behind it: in `ten past 7pm` the 7. */
const HOUR = String.raw`(?<hour>\p{L}+|\d{1,2})(?:(?<=\d)(?=[ap]\.?m\b)|(?![\p{L}\d]| *[:.h]\d))`
/** A day behind a month is no minute: `Dec 5 after 3pm`. */
const NOT_BEHIND_MONTH = String.raw`(?<!\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\p{L}*\.? )`

/** Any of some numbers in words: `twenty five` and `twenty-five` of 25. */
const inWords = (...counts: number[]) => counts.flatMap(wordsOfCount).join('|').replaceAll(' ', '[- ]')

/** Words for the minutes around an hour of a dial, the minutes where the words do not have them, and whether they are before it. */
interface Dial {
  words: RegExp
  minutes?: number
  isBefore?: boolean
}

const dials = once((): readonly Dial[] => [
  {
    words: new RegExp(
      String.raw`\b${NOT_BEHIND_MONTH}(?<minutes>${inWords(5, 10, 20, 25)}|[1-5]?\d) (?:min(?:ute)?s? )?(?:past|after) ${HOUR}(?: *o'clock)?`,
      'iu',
    ),
  },
  // Of "5 to 7 pm" both are hours.
  {
    words: new RegExp(
      String.raw`\b(?<minutes>${inWords(5, 10, 20, 25)}|[1-5]?\d(?= min)) (?:min(?:ute)?s? )?(?:to|before) ${HOUR}(?: *o'clock)?`,
      'iu',
    ),
    isBefore: true,
  },
  { words: new RegExp(String.raw`\b${HOUR} (?<minutes>${inWords(15, 30, 45)})\b`, 'iu') },
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
])

/** An hour in words beside its unit or behind the word for "at": `um acht Uhr`, `a las ocho`, `seven am`. */
const SPOKEN_HOUR =
  /(?<!\p{L})(?<hour>\p{L}+)(?= (?:[ap]\.?m\b|uhr|heures?|uur|horas?)(?!\p{L}))|(?<=(?<!\p{L})(?:a las?|alle|às|à) )(?<behind>\p{L}+)/giu

const hourOf = (text: string): number | null => {
  const hour = countOf(text)
  return Number.isInteger(hour) && hour >= 1 && hour <= 12 ? hour : null
}

/** The words of a dial as a clock of figures: `6:30 tomorrow` for `half past six tomorrow`, `7:45` for `quarter to 8`, `7:30` for `halb acht`, `3:00 pm` for `3 o'clock pm`. */
export function withDialInFigures(text: string): string {
  for (const { words, minutes, isBefore } of dials()) {
    const found = words.exec(text)?.groups
    const hour = hourOf(found?.['hour'] ?? '')
    if (hour === null) continue
    const spoken = minutes ?? countOf(found!['minutes']!.replace('-', ' '))
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
