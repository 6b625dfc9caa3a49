import { expect, test } from 'vitest'
import { alertNews, nearAlerts } from '../../../answers/statements/alert-news.ts'
import { WEATHER_ALERTS_FILE } from '../../../config/reference/weather-alerts.ts'
import { DAY_MS, isoUtc } from '../../../config/vocabulary.ts'
import type { WeatherAlert } from '../../../warehouse/publishing/read/weather-alerts.ts'

/** 09:20 in New York. */
const NOW = Date.parse('2026-11-21T14:20:00Z')
const JFK = { timezone: 'America/New_York' }

const alert = (over: Partial<WeatherAlert> = {}): WeatherAlert => ({
  event: 'Blizzard Warning',
  effect: 'stops',
  severity: 'Extreme',
  onset: '2026-11-21T12:00:00Z',
  ends: '2026-11-21T23:00:00Z',
  message_expires: '2026-11-21T20:00:00Z',
  headline: null,
  ...over,
})

test.each<[string, Partial<WeatherAlert>, string]>([
  ['holds now', {}, 'Blizzard warning until 18:00: flights may stop or be cancelled.'],
  [
    'begins later',
    { onset: '2026-11-21T20:00:00Z', ends: '2026-11-22T11:00:00Z' },
    'Blizzard warning from 15:00 to 06:00 on Sun 22 Nov: flights may stop or be cancelled.',
  ],
  [
    'lasts more than a day',
    { onset: '2026-11-21T20:00:00Z', ends: '2026-11-22T23:00:00Z' },
    'Blizzard warning from 15:00 today to 18:00 on Sun 22 Nov: flights may stop or be cancelled.',
  ],
  [
    'ends after the next day, at an earlier hour',
    { onset: '2026-11-21T20:00:00Z', ends: '2026-11-23T11:00:00Z' },
    'Blizzard warning from 15:00 today to 06:00 on Mon 23 Nov: flights may stop or be cancelled.',
  ],
  [
    'begins and ends on another day',
    { onset: '2026-11-22T08:00:00Z', ends: '2026-11-22T11:00:00Z' },
    'Blizzard warning from Sun 22 Nov 03:00 to 06:00: flights may stop or be cancelled.',
  ],
  [
    'does not say when it ends',
    { event: 'Dense Fog Advisory', effect: 'slows', ends: null },
    'Dense fog advisory now, its end is not stated: delays are possible.',
  ],
  [
    'is of no listed kind, with words that would read as markup',
    { event: 'Shelter <b>[here](https://x.example)', effect: null },
    '“Shelter ‹b›[here] (https: x.example)” until 18:00: rated extreme by the National Weather Service.',
  ],
])('an alert that %s', (_, over, text) => {
  expect(alertNews(alert(over), JFK, NOW).text).toBe(text)
})

test('alerts that begin within a day are near', () => {
  const alertIn = (ms: number) => alert({ onset: isoUtc(NOW + ms) })
  expect(
    nearAlerts([alertIn(-1), alertIn(DAY_MS), alertIn(DAY_MS + 60_000), alert({ onset: null })], NOW),
  ).toHaveLength(3)
})

test('every listed kind of alert has a place of its own, those that may stop flights first', () => {
  const rows = WEATHER_ALERTS_FILE.rows()
  expect(new Set(rows.map(({ event }) => event)).size).toBe(rows.length)
  const effects = rows.map(({ effect }) => effect)
  expect([...new Set(effects)]).toEqual(['stops', 'disrupts', 'may_come', 'slows'])
  expect(effects).toEqual(
    effects.toSorted((a, b) => [...new Set(effects)].indexOf(a) - [...new Set(effects)].indexOf(b)),
  )
})
