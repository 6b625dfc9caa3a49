import { expect, test } from 'vitest'
import { peakDay } from '../../answers/departure/peak-day.ts'
import { isOpenByHours } from '../../answers/questions/lounge-hours.ts'
import { terminalInFigures } from '../../answers/questions/terminal-in-figures.ts'
import { chartInClocksOf, inClocksOf, inTwelveHours } from '../../answers/statements/clock-style.ts'
import { dayOfWord, daysHint, likelyDay, pastDayOfWord } from '../../answers/statements/day-words.ts'
import { lengthText, programSentences } from '../../answers/statements/delay-news.ts'
import { placeText, shortTerminal, terminalName, waitWithoutStatus } from '../../answers/statements/text.ts'
import { holidaysAt } from '../../config/reference/public-holidays.ts'
import type { DelayProgram } from '../../warehouse/publishing/read/delays.ts'
import { testValues } from '../values.ts'

/** A Tuesday. */
const TODAY = '2026-10-20'

const PROGRAM: DelayProgram = {
  type: 'departure_delay',
  reason: null,
  average_minutes: null,
  min_minutes: null,
  max_minutes: null,
  trend: null,
  start: null,
  end: null,
  destination: null,
}

const withPlainSpaces = (text: string) => text.replaceAll('\u00a0', ' ')

testValues('answers/words.json', {
  dayOfWord: (word: string) => dayOfWord(word, TODAY),
  pastDayOfWord: (word: string) => pastDayOfWord(word, TODAY, holidaysAt('US', 'US-NY')!, 90),
  likelyDay: (word: string) => likelyDay(word, TODAY),
  daysHint,
  nameOfPeakDay: (country: string, region: string | null, day: string) => peakDay(country, day, region)?.name ?? null,
  terminalInFigures,
  terminalNames: (terminal: string) => [terminalName(terminal), shortTerminal(terminal)],
  placeText,
  inTwelveHours: (text: string) => {
    const shown = inTwelveHours(text)
    // What was rewritten once is not rewritten again.
    expect(inTwelveHours(shown)).toBe(shown)
    return withPlainSpaces(shown)
  },
  inClocksOf: (country: string, text: string) => withPlainSpaces(inClocksOf(country, text)),
  isOpenByHours,
  lengthText: (length: Partial<DelayProgram>) => lengthText({ ...PROGRAM, ...length }),
  programSentence: (type: DelayProgram['type'], average_minutes: number | null, end: string) =>
    programSentences(
      [{ ...PROGRAM, type, average_minutes, end }],
      { iata: 'BWI', timezone: 'America/New_York' },
      Date.parse('2026-11-29T09:00:00Z'),
    ).join('\n'),
  waitWithoutStatus,
})

const LANGUAGES = 'en es fr de it pt nl sv da nb fi pl cs sk hu ro bg tr ru uk el ja zh ko ar he id vi th'.split(' ')

test.each(LANGUAGES)('reads today, tomorrow, the day after and each weekday in %s', (language) => {
  const ahead = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  for (const [days, day] of [20, 21, 22, 23, 24, 25, 26].entries()) {
    const date = `2026-10-${day}`
    if (days < 2 || (days === 2 && language !== 'en')) expect(dayOfWord(ahead.format(days, 'day'), TODAY)).toBe(date)
    expect(dayOfWord(weekday.format(Date.parse(date)), TODAY)).toBe(date)
  }
})

test('the label of an axis has no minutes, a sentence in a chart has them, and no attribute changes', () => {
  const svg = '<svg aria-label="at 06:00"><text>06:00</text><title>as of 06:00</title></svg>'
  expect(withPlainSpaces(chartInClocksOf('US', svg))).toBe(
    '<svg aria-label="at 06:00"><text>6 am</text><title>as of 6:00 am</title></svg>',
  )
  expect(chartInClocksOf('DE', svg)).toBe(svg)
})
