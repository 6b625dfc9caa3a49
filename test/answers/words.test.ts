import { expect } from 'vitest'
import { peakDay } from '../../answers/departure/peak-day.ts'
import { isOpenByHours } from '../../answers/questions/lounge-hours.ts'
import { terminalInFigures } from '../../answers/questions/terminal-in-figures.ts'
import { inClocksOf, inTwelveHours } from '../../answers/statements/clock-style.ts'
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
