import { describe, expect, test } from 'vitest'
import {
  busiestOf,
  type ForecastRow,
  knowsOpening,
  quietestOf,
  summariesOfDays,
  usableHours,
} from '../../../answers/questions/forecast-summary.ts'
import { whenToGo } from '../../../answers/texts/predictions-text.ts'
import { getWaitTimePredictionsTool } from '../../../api/tools/get-wait-time-predictions.ts'
import { HOUR_MS, type QueueStatus } from '../../../config/vocabulary.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { forecastFrom } from '../fake-snapshot.ts'
import { callOf, toolText } from './run-tool.ts'

/** A local day of forecast hours with minutes and a status by the hour. */
function dayOf(minutesAt: (hour: number) => number, statusAt: (hour: number) => QueueStatus): ForecastRow[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const status = statusAt(hour)
    const wait = status === 'closed' ? null : minutesAt(hour)
    return {
      local_time: `2026-11-22T${String(hour).padStart(2, '0')}:00:00-05:00`,
      wait_minutes: wait,
      low: wait === null ? null : Math.max(0, wait - 3),
      high: wait === null ? null : wait + 5,
      confidence: wait === null ? null : 0.7,
      status,
    }
  })
}

const isNight = (hour: number) => hour < 4 || hour === 23

describe('the summary of a forecast', () => {
  test('of hours with the same minutes that is quietest which gets no longer, and that is busiest which may get longer', () => {
    const row = (hour: string, high: number) => ({ local_time: `2026-11-22T${hour}`, wait_minutes: 2, low: 0, high })
    const rows = [row('19:00', 5), row('20:00', 3), row('21:00', 9), row('22:00', 3)]
    expect([quietestOf(rows), busiestOf(rows)]).toEqual([rows[1], rows[2]])
  })

  test('closed hours are closed and never the quietest', () => {
    const [day] = summariesOfDays(
      dayOf(
        (hour) => hour,
        (hour) => (isNight(hour) ? 'closed' : 'open'),
      ),
    )
    expect(day!.closed).toEqual(['00:00 to 04:00', '23:00 to 24:00'])
    expect(day!.quietest).toMatchObject({ hour: '04:00', wait_minutes: 4 })
    expect(day!.busiest).toMatchObject({ hour: '22:00', wait_minutes: 22 })
  })

  test('where opening hours are not known, the quietest hour is one of the day with a wait, not 00:00 with 0 min', () => {
    const hours = dayOf(
      (hour) => (isNight(hour) || hour === 12 ? 0 : hour),
      () => 'unknown',
    )
    expect(quietestOf(usableHours(hours))).toMatchObject({ local_time: '2026-11-22T05:00:00-05:00', wait_minutes: 5 })
  })

  test('one hour that is known to be open does not leave out the other hours of the day', () => {
    const hours = dayOf(
      (hour) => 30 - hour,
      (hour) => (hour === 4 ? 'open' : 'unknown'),
    )
    const openOrByDay = Array.from({ length: 18 }, (_, index) => 4 + index)
    const clockHours = (rows: readonly { local_time: string }[]) =>
      rows.map(({ local_time }) => Number(local_time.slice(11, 13)))
    expect(clockHours(usableHours(hours))).toEqual(openOrByDay)
    expect(clockHours(hours.filter(knowsOpening))).toEqual(openOrByDay)
  })

  test('an hour of the night in which only a closure fades is not known to be open', () => {
    const withOpen = (open: Record<number, number>) =>
      dayOf(
        () => 2,
        () => 'unknown',
      ).map((hour, index) => ({ ...hour, open_probability: open[index] ?? null }))
    const known = (open: Record<number, number>) => withOpen(open).map(knowsOpening).slice(0, 5)
    expect(known({ 1: 0.35 })).toEqual([false, false, false, false, false])
    expect(known({ 1: 0.65 })).toEqual([false, true, false, false, false])
    // It opens at a quarter to four.
    expect(known({ 3: 0.25, 4: 0.99 })).toEqual([false, false, false, true, true])
  })

  test('an hour of the night in which nobody waits is not the quietest, although security is open', () => {
    const hours = dayOf(
      (hour) => (isNight(hour) ? 0 : hour),
      () => 'open',
    )
    expect(quietestOf(usableHours(hours))).toMatchObject({ local_time: '2026-11-22T04:00:00-05:00', wait_minutes: 4 })
  })

  test('says that such hours are left out', () => {
    const hours = dayOf(
      (hour) => (isNight(hour) ? 0 : hour),
      () => 'open',
    )
    expect(whenToGo(hours, '2026-11-22')).toMatch(
      /^Quietest: 04:00, .* Hours of the night in which nobody waits are left out\.$/,
    )
    expect(whenToGo(hours.slice(4, 23), '2026-11-22')).not.toContain('left out')
  })

  test('a day in which all hours are closed has no quietest hour', () => {
    const [day] = summariesOfDays(
      dayOf(
        () => 5,
        () => 'closed',
      ),
    )
    expect(day).toEqual({ date: '2026-11-22', closed: ['00:00 to 24:00'], quietest: null, busiest: null })
  })
})

test('hours that the tier does not see are said before those that it sees, and these have their day', () => {
  const predictionsOn = (now: number, date: string) => {
    const snapshot = snapshotAt(now, { forecasts: [forecastFrom('JFK', Math.floor(now / HOUR_MS) * HOUR_MS)] })
    return toolText(getWaitTimePredictionsTool, { iata: 'JFK', date }, 'pro', snapshot, now)
  }
  expect(predictionsOn(NOW, '2026-11-22')).toMatch(
    /^The hours from 2026-11-22T09:00:00-05:00 on lie beyond the 24 hours of Pro\. Quietest: Sat 21 Nov 10:00/,
  )
  // At midnight the next 24 hours hold nothing of tomorrow.
  expect(predictionsOn(Date.parse('2026-11-22T05:00:00Z'), '2026-11-23')).toMatch(
    /^The hours from 2026-11-23T00:00:00-05:00 on .* Quietest: Sun 22 Nov \d/,
  )
  expect(predictionsOn(Date.parse('2026-11-22T05:00:00Z'), '2026-11-22')).toMatch(/^Quietest: \d/)
})

test('a list of hours names each local day at its first hour', () => {
  const { structured } = callOf<{ hours: ForecastRow[] }>(getWaitTimePredictionsTool, { iata: 'JFK', days: 1 })
  const [hour] = structured.hours
  const times = [
    '2026-11-21T22:00:00-05:00',
    '2026-11-21T23:00:00-05:00',
    '2026-11-22T00:00:00-05:00',
    '2026-11-22T01:00:00-05:00',
  ]
  const answer = { ...structured, hours: times.map((local_time) => ({ ...hour, local_time })) } as never
  expect(getWaitTimePredictionsTool.text(answer, answer)).toMatch(
    /^Sat 21 Nov 22:00 [^;]+; 23:00 [^;]+; Sun 22 Nov 00:00 [^;]+; 01:00 [^;]+\.$/m,
  )
})
