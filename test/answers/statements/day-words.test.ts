import { expect, it } from 'vitest'
import { dayOfWord } from '../../../answers/statements/day-words.ts'

/** A Tuesday. */
const TODAY = '2026-10-20'
const LANGUAGES = 'en es fr de it pt nl sv da nb fi pl cs sk hu ro bg tr ru uk el ja zh ko ar he id vi th'.split(' ')

it.each(LANGUAGES)('reads today, tomorrow, the day after and each weekday in %s', (language) => {
  const ahead = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  for (const [days, day] of [20, 21, 22, 23, 24, 25, 26].entries()) {
    const date = `2026-10-${day}`
    if (days < 2 || (days === 2 && language !== 'en')) expect(dayOfWord(ahead.format(days, 'day'), TODAY)).toBe(date)
    expect(dayOfWord(weekday.format(Date.parse(date)), TODAY)).toBe(date)
  }
})
