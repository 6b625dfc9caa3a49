import { once } from '../../config/once.ts'
import { projectTable } from '../../config/project-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import { LANGUAGES } from './day-names.ts'
import { fold } from './holiday-words.ts'

/** Numbers in words, and lengths of time from now on, in languages of travellers. */

const wordsByCount = once(() => projectTable<string>('answers/statements/count-words.json'))

/** The words for a number that is read in words; none for any other number. */
export const wordsOfCount = (count: number): string[] => wordsByCount()[count]?.split('|') ?? []

const counts = once(
  () =>
    new Map(
      Object.keys(wordsByCount()).flatMap((count) =>
        wordsOfCount(Number(count)).map((word) => [fold(word), Number(count)] as const),
      ),
    ),
)

/** The number that figures or a word say: 2 for `two` and `zwei`, 0.5 for `half an`; NaN for any other text. */
export const countOf = (text: string): number => counts().get(fold(text).replace(/\s+/g, ' ')) ?? Number(text)

const UNITS_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }
/** Forms of nouns differ by number: `1 godzinę`, `2 godziny`, `5 godzin`. */
const COUNTS_OF_FORMS = [1, 2, 5]
/** Further words before a length of time, which Intl does not use. */
const ALSO_BEFORE: Readonly<Record<string, readonly string[]>> = {
  es: ['en'],
  it: ['fra'],
  pt: ['daqui a', 'dentro de'],
}

/** The words around a number, as in `dans 2 heures` and `2 saat sonra`, and whether they mean one without it, as `через час` does. */
interface SpanWords {
  before: string
  after: string
  unit_ms: number
  isOfOne: boolean
}

const spansAhead = once((): SpanWords[] =>
  ['en', ...LANGUAGES].flatMap((language) => {
    const words = new Intl.RelativeTimeFormat(language)
    return Object.entries(UNITS_MS).flatMap(([unit, unit_ms]) =>
      COUNTS_OF_FORMS.flatMap((count) => {
        const [before = '', after] = fold(words.format(count, unit as keyof typeof UNITS_MS)).split(String(count))
        // Some languages have a word for two hours.
        if (after === undefined) return []
        return [before.trim(), ...(ALSO_BEFORE[language] ?? [])].map((first) => ({
          before: first,
          after: after.trim(),
          unit_ms,
          isOfOne: count === 1 && first !== '',
        }))
      }),
    )
  }),
)

/**
 * The time until an event that words say, in ms, of hours and minutes (`dans deux heures`, `2 saat sonra`) or of days and weeks
 * (`in 3 Tagen`), which leave the hour open; null for any other text.
 */
export function spanAhead(text: string, units: 'clock' | 'calendar'): number | null {
  // `un'ora`, `demi-heure`
  const words = fold(text)
    .replace(/(?<=\p{L})['-](?=\p{L})/gu, ' ')
    .trim()
  for (const { before, after, unit_ms, isOfOne } of spansAhead()) {
    if (unit_ms < DAY_MS !== (units === 'clock')) continue
    if (!words.startsWith(before) || !words.endsWith(after)) continue
    const number = words.slice(before.length, words.length - after.length).trim()
    const count = number === '' ? Number(isOfOne) : countOf(number)
    if (count > 0) return count * unit_ms
  }
  return null
}
