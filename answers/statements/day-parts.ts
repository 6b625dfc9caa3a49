import { groupBy } from '../../config/group-by.ts'
import { once } from '../../config/once.ts'
import { projectTable } from '../../config/project-text.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { countOf } from './counted-words.ts'
import { LANGUAGES } from './day-names.ts'

/** Letters with marks may be typed without them: `manana`, `مساء`. */
const eitherWay = (phrase: string) =>
  phrase.replace(/\p{M}/gu, '$&?').replace(/(?!\p{M})[^\0-\x7f]/gu, (letter) => {
    const plain = letter.normalize('NFD').replace(/\p{M}/gu, '')
    return plain === letter || plain.length > 1 ? letter : `[${letter}${plain}]`
  })

/** The part of the day of the hours in which a phrase is said: "du matin" of those before noon, "gece" of some late and some early ones; null for one around noon. */
function partOfHours(hours: readonly number[]): string | null {
  if (hours.every((hour) => hour < 12)) return 'morning'
  if (hours.every((hour) => hour >= 12)) return hours.every((hour) => hour < 18) ? 'afternoon' : 'evening'
  return hours.includes(0) ? 'night' : null
}

/** Where a phrase with another meaning in another language is a part of the day: Spanish `este viernes` is "this". */
const PLACE_OF_PHRASE: Readonly<Record<string, string>> = { este: '(?<=\\p{L}\\s)este(?=\\s+\\d|\\s*$)' }

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The phrases for parts of the day that Intl has for a language. */
function phrasesOf(language: string): { english: string; phrase: string }[] {
  const format = new Intl.DateTimeFormat(language, {
    hour: 'numeric',
    hour12: true,
    dayPeriod: 'long',
    timeZone: 'UTC',
  })
  const phraseAt = (hour: number) =>
    format.formatToParts(hour * HOUR_MS).find(({ type }) => type === 'dayPeriod')?.value ?? ''
  return [...groupBy(HOURS, phraseAt)].flatMap(([phrase, hours]) => {
    const english = partOfHours(hours)
    // A phrase of one hour alone says midnight or noon.
    return english !== null && hours.length > 1 ? { english, phrase: phrase.replaceAll('’', "'") } : []
  })
}

/** What is found of the parts of a day in languages of travellers, the longest phrase first, with the English words for it. */
const phrases = once(() =>
  Object.entries(projectTable<string>('answers/statements/day-parts.json'))
    .flatMap(([english, listed]) => listed.split('|').map((phrase) => ({ english, phrase })))
    .concat(LANGUAGES.flatMap(phrasesOf))
    .sort((a, b) => b.phrase.length - a.phrase.length)
    .map(({ english, phrase }) => {
      // Words of scripts without spaces stand beside figures.
      const isApart = !/[\p{Script=Han}\p{Script=Hangul}]/u.test(phrase)
      const pattern = isApart ? `(?<![\\p{L}\\d])${eitherWay(phrase)}(?!\\p{L})` : phrase
      return { english, pattern: new RegExp(PLACE_OF_PHRASE[phrase] ?? pattern, 'iu') }
    }),
)

/** A part of the day beside a day or a time: `Friday night 9pm`, `5:30 in the morning`. */
export const PART_OF_DAY = /,?\s*\b(?:in\s+the\s+|at\s+)?(?<part>morning|noontime|afternoon|evening|night)\b/i

/** `8时30分`, `20時`, `8시`, `七点半`, `三点二十分`, `三点一刻`. */
const EAST_ASIAN_TIME =
  /(\d{1,2}|(?<![期周拜])二?十[一二三四五六七八九]?|[一二两兩三四五六七八九])\s*[時时點点시](?![間间간])\s*(?:(\d{1,2}|[二三四五]?十[一二三四五六七八九]?|[〇零]?[一二三四五六七八九])\s*([分분刻])?|([半반]))?/u

/** The number of figures or of Chinese numerals under 100: 20 for `二十`, 5 for `零五`; NaN for any other text. */
function numberOf(text: string): number {
  const plain = text.replace(/^[〇零]/, '')
  const [, tens, ones] = /^(.?)十(.?)$/u.exec(plain) ?? []
  if (tens === undefined) return countOf(plain)
  return (tens === '' ? 1 : countOf(tens)) * 10 + (ones === '' ? 0 : countOf(ones!))
}

/** The words of a day and time with its part of the day, and the hours of East Asian clocks, in English: `ce soir 20h` is `today evening 20h`. */
export function withPartInEnglish(words: string): string {
  const text = words
    .replaceAll('’', "'")
    .replace(EAST_ASIAN_TIME, (written, hour: string, number = '0', unit?: string, half?: string) => {
      const hours = numberOf(hour)
      const minutes = half === undefined ? numberOf(number) * (unit === '刻' ? 15 : 1) : 30
      return Number.isNaN(hours + minutes) ? written : ` ${hours}:${String(minutes).padStart(2, '0')}`
    })
  if (/^[\d\sT:.+Z-]*$/.test(text)) return text
  const found = phrases().find(({ pattern }) => pattern.test(text))
  const english = found === undefined ? text : text.replace(found.pattern, ` ${found.english} `).replace(/\s+/g, ' ')
  return english.trim().replace(/\bthis\s+(?=morning|afternoon|evening)/i, 'today ')
}

/** Words for a day without the part of it that they also name: `tomorrow` of `tomorrow morning`. */
export const withoutPart = (words: string): string => withPartInEnglish(words).replace(PART_OF_DAY, '').trim()
