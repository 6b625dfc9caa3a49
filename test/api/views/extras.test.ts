import { expect, it } from 'vitest'
import type { QueryContext } from '../../../answers/questions/define.ts'
import { openingTimes } from '../../../api/views/extras.ts'

const NOW = Date.parse('2026-11-21T14:22:00Z')
const security = {
  basis: 'measured' as const,
  age_seconds: 120,
  source: 'panynj-graphql',
  reopens_at: null,
  wait_minutes: 9,
  spread: null,
  airport_closure: null,
}
const spread = { shortest_minutes: 5, longest_minutes: 19, longest_at: 'T4', without_wait: [] }
const airport_closure = { until: '2026-11-22T05:30:00Z', end: 'until 06:30', repeats: 'every night until 30 Nov' }

it('a picture says a wait as the tools do: its range, or what shuts airlines out; and where it comes from, without the id of a source', () => {
  const airports = [
    { airport: 'JFK', timezone: 'America/New_York', security: { ...security, spread } },
    {
      airport: 'FRA',
      timezone: 'Europe/Berlin',
      security: { ...security, basis: null, wait_minutes: null, airport_closure },
    },
    { airport: 'LGA', timezone: 'America/New_York', security },
  ]
  const origin = 'measured 2 min ago by the airport'
  expect(openingTimes({ airports }, { now: NOW } as QueryContext).words).toEqual({
    JFK: { figure: '5–19 min', rest: 'longest at T4; 9 min on average', origin },
    FRA: { figure: null, rest: 'closed to airlines until 06:30 (every night until 30 Nov)', origin: null },
    LGA: { figure: null, rest: null, origin },
  })
})
