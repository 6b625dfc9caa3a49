import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { createSignedInPerson } from '../../accounts/people/signed-in-person.ts'
import { exampleContent } from '../../api/example-snapshot.ts'
import { fakeSnapshot, forecastFrom, historyOf, measured } from '../../api/fake-snapshot.ts'
import { shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

const harness = shareHarness()

const HISTORY_HOURS = 60 * 24

/** JFK at an instant, with its queue, its forecast and sixty days of history up to then. */
async function open(instant: string, { simulated = false, age_hours = 0 } = {}) {
  const now = Date.parse(instant)
  const published = now - age_hours * HOUR_MS
  const thisHour = Math.floor(published / HOUR_MS) * HOUR_MS
  const starts = Array.from({ length: HISTORY_HOURS }, (_, k) => thisHour - (HISTORY_HOURS - k) * HOUR_MS)
  harness.controls.now = now
  harness.controls.snapshot = fakeSnapshot(
    published,
    exampleContent({
      id: instant,
      simulated,
      queues: { 'JFK security': measured(published, 14) },
      forecasts: [forecastFrom('JFK', thisHour)],
      history: [historyOf('JFK', starts, () => 125), historyOf('JFK', starts, () => 80, 'T4')],
    }),
  )
  const person = await createSignedInPerson(harness, { tier: 'enterprise' })
  const { body, statusCode } = await person.get('/airports/JFK')
  expect(statusCode).toBe(200)
  const hours = parse((await person.get('/airports/JFK/forecast.csv')).body, { columns: true }) as Hour[]
  const days = parse((await person.get('/airports/JFK/history.csv')).body, { columns: true }) as Day[]
  const table = /aria-label="Hours"[\s\S]*?<\/table>/.exec(body)![0]
  const rows = [...table.matchAll(/<th scope="row">([^<]*)</g)].map(([, clock]) => clock!)
  const text = body
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
  return { text, rows, hours, days }
}

interface Hour {
  time: string
  local_time: string
}
interface Day {
  date: string
  hours: string
}

/** Whatever the clocks do, the hours follow each other and no two look alike. */
function expectWholeHours(rows: string[], hours: Hour[]) {
  expect(hours).toHaveLength(48)
  const first = Date.parse(hours[0]!.time)
  expect(hours.map(({ time }) => time)).toEqual(hours.map((_, k) => isoUtc(first + k * HOUR_MS)))
  expect(new Set(hours.map(({ local_time }) => local_time)).size).toBe(48)
  expect(rows).toHaveLength(48)
  expect(new Set(rows).size).toBe(48)
}

test('at midnight of the day of 25 hours the page counts each hour once, and tells the two of one clock apart', async () => {
  const { text, rows, hours, days } = await open('2026-11-01T04:00:00Z')
  expectWholeHours(rows, hours)
  expect(text).toContain('00:00 Sun 1 Nov')
  expect(rows.slice(24, 29)).toEqual(['00:00', '01:00 EDT', '01:00 EST', '02:00', '03:00'])
  expect(hours.slice(25, 27).map(({ local_time }) => local_time)).toEqual([
    '2026-11-01T01:00:00-04:00',
    '2026-11-01T01:00:00-05:00',
  ])
  expect(text).toContain('clocks go back')
  expect(days.at(-1)).toMatchObject({ date: '2026-10-31', hours: '24' })
})

test.runIf(EXHAUSTIVE)('the day of 25 hours has 25 in the history, and the day of 23 hours has 23', async () => {
  const autumn = await open('2026-11-02T05:00:00Z')
  expect(autumn.text).toContain('00:00 Mon 2 Nov')
  expect(autumn.days.at(-1)).toMatchObject({ date: '2026-11-01', hours: '25' })
  expectWholeHours(autumn.rows, autumn.hours)
  const spring = await open('2026-03-09T04:00:00Z')
  expect(spring.text).toContain('00:00 Mon 9 Mar')
  expect(spring.days.at(-1)).toMatchObject({ date: '2026-03-08', hours: '23' })
  expectWholeHours(spring.rows, spring.hours)
})

test.runIf(EXHAUSTIVE)(
  'at midnight of the day of 23 hours the page skips the hour that no clock shows, also when it is stale and simulated',
  async () => {
    const { text, rows, hours } = await open('2026-03-08T05:00:00Z', { simulated: true, age_hours: 3 })
    expectWholeHours(rows, hours)
    expect(text).toContain('00:00 Sun 8 Mar')
    expect(text).toContain('SIMULATED world')
    expect(text).toContain('These figures are 3 h old: nothing newer has been published since.')
    expect(text).toContain('clocks go forward')
    const clocks = hours.map(({ local_time }) => local_time.slice(0, 16))
    expect(clocks).toContain('2026-03-08T01:00')
    expect(clocks).toContain('2026-03-08T03:00')
    expect(clocks).not.toContain('2026-03-08T02:00')
  },
)
