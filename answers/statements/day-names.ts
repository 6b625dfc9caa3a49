import { Info } from 'luxon'
import { once } from '../../config/once.ts'
import { fold } from './holiday-words.ts'

/** The names of days and months in languages of travellers. */

export const MONTHS = Info.months('long', { locale: 'en' })

/** The languages in which a day may be named beside English. */
export const LANGUAGES = 'es fr de it pt nl sv da nb fi pl cs sk hu ro bg tr ru uk el ja zh ko ar he hi id vi th'.split(
  ' ',
)

export const daysAhead = once(
  () =>
    new Map([
      ...LANGUAGES.flatMap((language) => {
        const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
        // One word of Hindi means yesterday and tomorrow: a later one is rather asked for.
        return [-2, -1, 0, 1, 2].map((days) => [fold(words.format(days, 'day')), days] as const)
      }),
      ['yesterday', -1],
      ['today', 0],
      ['tonight', 0],
      ['tomorrow', 1],
      ['tmrw', 1],
      ['tmr', 1],
      ['idag', 0],
      ['imorgon', 1],
      ['day after tomorrow', 2],
      ['the day after tomorrow', 2],
    ]),
)

/** Endings of weekdays behind "on" in Slavic languages. */
const ACCUSATIVES: readonly (readonly [RegExp, string])[] = [
  [/a$/, 'e'],
  [/a$/, 'u'],
  [/e$/, 'i'],
  [/а$/, 'у'],
  [/я$/, 'ю'],
]
/** What people leave out of the name of a weekday, and how they begin it in Chinese: `sexta`, `金曜`, `周五`. */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/-feira$/, ''],
  [/曜日$/, '曜'],
  [/^星期/, '周'],
]

/** How a weekday is said where a language adds to its name: `pénteken`, `perjantaina`, `cuma günü`. */
const WITH_MORE: Readonly<Record<string, (name: string) => string[]>> = {
  ar: (name) => [`يوم ${name}`],
  el: (name) => [`την ${name}`, `το ${name}`],
  fi: (name) => [`${name}na`],
  he: (name) => [`ב${name}`],
  hu: (name) => ['n', 'on', 'en'].map((ending) => name + ending),
  id: (name) => [`hari ${name}`],
  tr: (name) => [`${name} gunu`],
}

/** The forms in which a weekday is said, by its name without accents: `пятница` also as in `в пятницу`. */
const spokenForms = (language: string, name: string): string[] =>
  [name].concat(
    WITH_MORE[language]?.(name) ?? [],
    [...ACCUSATIVES, ...SHORTER].flatMap(([ending, other]) => (ending.test(name) ? name.replace(ending, other) : [])),
  )

/** Monday is 1, Sunday 7. */
export const weekdayNumbers = once(
  () =>
    new Map(
      LANGUAGES.flatMap((language) => {
        const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
        // 5 January 1970 was a Monday.
        return [1, 2, 3, 4, 5, 6, 7].flatMap((number) =>
          spokenForms(language, fold(name.format(Date.UTC(1970, 0, 4 + number)))).map(
            (spoken) => [spoken, number] as const,
          ),
        )
      }),
    ),
)

/** Names of months as they stand in dates. */
const monthNumbers = once(
  () =>
    new Map(
      ['en', ...LANGUAGES].flatMap((language) => {
        const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' })
        return MONTHS.map((_, month) => {
          const parts = date.formatToParts(Date.UTC(1970, month, 1))
          return [fold(parts.find(({ type }) => type === 'month')?.value ?? ''), month] as const
        }).filter(([name]) => /^\p{L}+$/u.test(name))
      }),
    ),
)

/** The month that a word is the name of, or begins the names of alone: `Sept`, `déc`. */
export function monthNamed(word: string): number | undefined {
  const text = fold(word)
  const named = monthNumbers().get(text)
  if (named !== undefined) return named
  const begun = [...monthNumbers()].flatMap(([name, month]) => (name.startsWith(text) ? month : []))
  return new Set(begun).size === 1 ? begun[0] : undefined
}
