import { expect, it } from 'vitest'
import { dayOfWord, daysHint, likelyDay, pastDayOfWord } from '../../../answers/statements/day-words.ts'
import { holidaysAt } from '../../../config/reference/public-holidays.ts'

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

it.each([
  ['manana', '2026-10-21'],
  ['ubermorgen', '2026-10-22'],
  ['MIÉRCOLES', '2026-10-21'],
  ['this Friday', '2026-10-23'],
  ['25/12', '2026-12-25'],
  ['13/13/2026', null],
  ['12/3/2026', null],
  ['2026-12-3', '2026-12-03'],
  ['2026/12/03', '2026-12-03'],
  ['2026.12.3', '2026-12-03'],
  ['２０２６年１２月３日', '2026-12-03'],
  ['٢٠٢٦-١٢-٠٣', '2026-12-03'],
  ['۲۰۲۶/۱۲/۳', '2026-12-03'],
  ['२५/१२', '2026-12-25'],
  ['last Friday', '2026-10-16'],
  ['1 Sept 2026', '2026-09-01'],
  ['Dec. 4th', '2026-12-04'],
  ['4. Dez.', '2026-12-04'],
  ['1 déc. 2026', '2026-12-01'],
  ['1 jui', null],
  ['last Tuesday', '2026-10-13'],
  ['a week ago', '2026-10-13'],
  ['two days after the 19th', '2026-10-21'],
  ['two days before yesterday', '2026-10-17'],
  ['a week from tomorrow', '2026-10-28'],
  ['gestern', '2026-10-19'],
  ['next Friday', null],
  ['imorgon', '2026-10-21'],
  ['Thrusday', null],
])('takes %s for %s', (word, day) => {
  expect(dayOfWord(word, TODAY)).toBe(day)
})

it.each([
  ['yesterday', '2026-10-19'],
  ['Friday', '2026-10-16'],
  ['2026-12-3', '2026-12-03'],
  ['last Friday', '2026-10-16'],
  ['2 days ago', '2026-10-18'],
  ['3 October', '2026-10-03'],
  ['Labor Day', '2026-09-07'],
  ['a week before Labor Day', '2026-08-31'],
  ['six weeks after Labor Day', '2026-10-19'],
  // Days to come stay so, to be refused with what is meant.
  ['tomorrow', '2026-10-21'],
  ['in 3 days', '2026-10-23'],
  ['Christmas', '2026-12-25'],
  ['Terminal', null],
])('takes %s for %s where past days are asked for', (word, day) => {
  expect(pastDayOfWord(word, TODAY, holidaysAt('US', 'US-NY')!, 90)).toBe(day)
})

it.each([
  ['Thrusday', 'Thursday'],
  ['tommorow', 'tomorrow'],
  ['wensday', 'Wednesday'],
  ['3 Novmber', '3 November'],
  ['Sudnay', 'Sunday'],
  ['Sonday', 'Sunday'],
  ['Terminal', null],
  ['2026-13-40', null],
  ['', null],
])('proposes for %s: %s', (word, likely) => {
  expect(likelyDay(word, TODAY)).toBe(likely)
})

it.each([
  ['this weekend', '2026-10-20', 'Saturday', 2],
  ['this weekend', '2026-10-25', 'Sunday', 1],
  ['next weekend', '2026-10-20', 'Saturday', 2],
  ['next weekend', '2026-10-24', '2026-10-31', 2],
  ['next weekend', '2026-10-25', '2026-10-31', 2],
  ['nächstes Wochenende', '2026-10-25', '2026-10-31', 2],
  ['next week', '2026-10-19', '2026-10-26', 7],
  ['next week', '2026-10-20', '2026-10-26', 7],
  ['next week', '2026-10-25', '2026-10-26', 7],
])('for %s on %s gives the first day and how many', (text, today, date, days) => {
  expect(daysHint(text, today)).toMatch(new RegExp(`give \`date\`: ${date} and \`days\`: ${days}(?:, of which.*)?$`))
})
