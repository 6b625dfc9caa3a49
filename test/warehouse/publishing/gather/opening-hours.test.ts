import { describe, expect, test } from 'vitest'
import { getLeaveBy } from '../../../../answers/departure/get-leave-by.ts'
import { getPredictions } from '../../../../answers/questions/get-predictions.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { gatherSnapshot } from '../../../../warehouse/publishing/publish.ts'
import { snapshotReader } from '../../../../warehouse/publishing/snapshot/snapshot.ts'
import { learnHours, openPercentAt, reopeningAfter } from '../../../../warehouse/publishing/waits/learned-hours.ts'
import { rollUp } from '../../../../warehouse/storage/rollup.ts'
import { type Reading, readings } from '../../../../warehouse/tables/readings.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { landedAt, reading } from '../../test-rows.ts'

/** 02:00 at Seattle, in winter. */
const NOW = Date.parse('2026-11-20T10:00:00Z')
const OPENS = 12.5 * HOUR_MS
const CLOSES = 6 * HOUR_MS
const STEP_MS = 20 * 60_000
const DAYS = 8

/** Open from 04:30 to 22:00 local time: from 12:30 to 06:00 UTC of the next day. */
const isOpenAt = (instant: number) => instant % DAY_MS < CLOSES || instant % DAY_MS >= OPENS

/** Readings every 20 minutes of the days before `until`, as a source that says whether it is open. */
function nightlyClosure(until: number): Reading[] {
  const instants = Array.from({ length: (DAYS * DAY_MS) / STEP_MS }, (_, back) => until - (back + 1) * STEP_MS)
  return instants.map((instant) => {
    const open = isOpenAt(instant)
    return reading({
      observed_at: isoUtc(instant),
      status: open ? 'open' : 'closed',
      // The source leaves its last number standing beside the closure.
      wait_minutes: open ? 7 : 0,
      flags: open ? [] : ['wait_on_closed'],
    })
  })
}

describe('an airport that closes at night', () => {
  const snapshotAt = async (now: number) => {
    const warehouse = await newWarehouse()
    await warehouse.land(readings, nightlyClosure(now))
    await rollUp(warehouse)
    const airports = [airportDirectory().byIata.get('SEA')!]
    const { content } = await gatherSnapshot(warehouse, { now, simulated: false, airports })
    return snapshotReader('test', content)
  }

  test('is closed at 02:00, with the time at which it opens on other days and the evidence; its forecast has closed hours', async () => {
    const snapshot = await snapshotAt(NOW)
    expect(snapshot.queue('SEA', 'security')).toMatchObject({
      average_wait_minutes: null,
      unavailable_reason: 'closed',
      status: 'closed',
      status_basis: 'measured',
      status_source: 'sea-cwt',
      status_age_seconds: 1_200,
      reopens_at: '2026-11-20T12:30:00Z',
      reopens_basis: 'predicted',
      reopens_days: 8,
      terminals: [{ terminal: 'all', status: 'closed', reopens_at: '2026-11-20T12:30:00Z' }],
    })

    // Its forecast is closed until then, and open by day.
    const series = snapshot.forecast('SEA')!
    const open = [...series.open.slice(0, 24)]
    expect(open.slice(0, 2).every((percent) => percent <= 10)).toBe(true)
    expect(open[2]).toBeGreaterThan(20)
    expect(open[2]).toBeLessThan(80)
    expect(open.slice(3, 20).every((percent) => percent >= 90)).toBe(true)
    expect(open.slice(21, 24).every((percent) => percent <= 10)).toBe(true)
  })

  test('stays closed while no newer reading comes, until it should open; then its hours and the forecast count', async () => {
    const snapshot = await snapshotAt(NOW)
    const later = (hours: number) => snapshot.asOf(NOW + hours * HOUR_MS).queue('SEA', 'security')
    expect(later(2)).toMatchObject({ status: 'closed', status_basis: 'measured', status_age_seconds: 8_400 })
    expect(later(3.5)).toMatchObject({ status: 'open', status_basis: 'predicted', reopens_at: null, basis: 'typical' })
    expect(later(3.5).average_wait_minutes).not.toBeNull()
    // The next night without any reading: closed by its hours, not by an observation of the day before.
    expect(later(22)).toMatchObject({
      average_wait_minutes: null,
      status: 'closed',
      status_basis: 'predicted',
      observed_at: null,
      reopens_at: '2026-11-21T12:30:00Z',
    })
  })

  test('a wait of the evening that the feed no longer confirms does not count at night', async () => {
    const evening = NOW - 4.2 * HOUR_MS
    const snapshot = await snapshotAt(evening)
    expect(snapshot.queue('SEA', 'security')).toMatchObject({ average_wait_minutes: 7, status: 'open' })
    expect(snapshot.asOf(evening + 1.5 * HOUR_MS).queue('SEA', 'security')).toMatchObject({
      average_wait_minutes: null,
      unavailable_reason: 'closed',
      status: 'closed',
      status_basis: 'predicted',
    })
  })
})

describe('learned hours', () => {
  const hoursOf = (
    timezone: string,
    isOpen: (local: { hour: number; weekday: number; instant: number }) => boolean,
    until: string,
    days = 28,
    closedDay = Number.NaN,
    isRead: (local: { hour: number }) => boolean = () => true,
  ) => {
    const end = Date.parse(until)
    const zone = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hour: '2-digit',
      hourCycle: 'h23',
      weekday: 'short',
    })
    const rows = Array.from({ length: days * 24 }, (_, back) => {
      const hour = end - (back + 1) * HOUR_MS
      const parts = Object.fromEntries(zone.formatToParts(hour).map(({ type, value }) => [type, value]))
      const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts['weekday'] ?? '') + 1
      const local = { hour: Number(parts['hour']), weekday, instant: hour }
      if (!isRead(local)) return []
      const open = isOpen(local) && !(hour >= closedDay && hour < closedDay + DAY_MS)
      return [{ hour, slots: 6, open_slots: open ? 6 : 0, first_open_at: open ? hour : null, follows_closure: false }]
    }).flat()
    return learnHours(rows.reverse(), timezone)!
  }

  test('keep the local clock when the clocks change', () => {
    const hours = hoursOf('America/New_York', ({ hour }) => hour >= 4 && hour < 22, '2026-10-31T12:00:00Z')
    // 02:00 on the night of the change, 1 November 2026: 04:00 is then 09:00 UTC, not 08:00.
    expect(reopeningAfter(hours, Date.parse('2026-11-01T07:00:00Z'))).toMatchObject({
      opens_ms: Date.parse('2026-11-01T09:00:00Z'),
    })
  })

  test('a queue that closed within the hour opens the next morning; one that should still be open has no opening', () => {
    const hours = hoursOf('America/New_York', ({ hour }) => hour >= 4 && hour <= 22, '2026-11-20T12:00:00Z')
    const opens = { opens_ms: Date.parse('2026-11-21T09:00:00Z') }
    // 22:40, in the last hour of the day.
    expect(reopeningAfter(hours, Date.parse('2026-11-21T03:40:00Z'))).toMatchObject(opens)
    expect(reopeningAfter(hours, Date.parse('2026-11-21T04:20:00Z'))).toMatchObject(opens)
    // 21:40: another hour is usually open after it.
    expect(reopeningAfter(hours, Date.parse('2026-11-21T02:40:00Z'))).toBeNull()
  })

  test('know a weekday on which the queue stays closed', () => {
    const hours = hoursOf(
      'Europe/Zurich',
      ({ hour, weekday }) => weekday !== 7 && hour >= 5 && hour < 22,
      '2026-11-16T00:00:00Z',
    )
    const sundayNoon = Date.parse('2026-11-22T11:00:00Z')
    expect(openPercentAt(hours, sundayNoon)).toBeLessThan(25)
    expect(reopeningAfter(hours, sundayNoon)).toMatchObject({ opens_ms: Date.parse('2026-11-23T04:00:00Z') })
  })

  test('one closed day among four weeks leaves the hours of its weekday open', () => {
    const strike = Date.parse('2026-11-11T00:00:00Z')
    const hours = hoursOf('Europe/London', () => true, '2026-11-16T00:00:00Z', 28, strike)
    for (let hour = 0; hour < 168; hour++)
      expect(openPercentAt(hours, Date.parse('2026-11-16T00:00:00Z') + hour * HOUR_MS)).toBeGreaterThan(75)
    // The day itself was a Wednesday: the other days are certain.
    expect(openPercentAt(hours, Date.parse('2026-11-17T12:00:00Z'))).toBeGreaterThanOrEqual(90)
  })

  test('an hour that is hardly ever read is closed between closed hours', () => {
    const rarelyRead = hoursOf(
      'Europe/London',
      ({ hour }) => hour >= 5 && hour < 22,
      '2026-11-16T00:00:00Z',
      28,
      Number.NaN,
      ({ hour }) => hour !== 2,
    )
    expect(openPercentAt(rarelyRead, Date.parse('2026-11-17T02:00:00Z'))).toBeLessThanOrEqual(10)
    expect(openPercentAt(rarelyRead, Date.parse('2026-11-17T12:00:00Z'))).toBeGreaterThanOrEqual(90)
  })

  test('a new timetable counts within two weeks', () => {
    const change = Date.parse('2026-11-02T00:00:00Z')
    const hours = hoursOf(
      'Europe/London',
      ({ hour, instant }) => hour >= (instant < change ? 5 : 3),
      '2026-11-16T00:00:00Z',
    )
    expect(openPercentAt(hours, Date.parse('2026-11-17T04:00:00Z'))).toBeGreaterThan(50)
  })

  test('an airport that never closes has no opening', () => {
    const hours = hoursOf('Asia/Dubai', () => true, '2026-11-16T00:00:00Z')
    for (let hour = 0; hour < 168; hour++) expect(openPercentAt(hours, NOW + hour * HOUR_MS)).toBeGreaterThanOrEqual(90)
    expect(reopeningAfter(hours, NOW)).toBeNull()
  })

  test('one day is no evidence', () => {
    const hours = hoursOf('Europe/Zurich', () => false, '2026-11-16T00:00:00Z', 1)
    expect(openPercentAt(hours, NOW)).toBe(255)
  })
})

describe('stated-hours', () => {
  /** 14:00 in Washington, the day after the only night that was read. */
  const NOW = Date.parse('2026-11-20T19:00:00Z')
  const timezone = 'America/New_York'

  /** A reading at a local time of the 20th; negative hours are those of the evening before. */
  function readingAt(localHour: number, over: Partial<Reading>): Reading {
    const observed_at = isoUtc(Date.parse('2026-11-20T05:00:00Z') + localHour * HOUR_MS)
    return reading({
      source: 'mwaa-dca',
      iata: 'DCA',
      terminal: '2',
      checkpoint: 'North',
      ...landedAt(observed_at),
      ...over,
    })
  }
  const open = { status: 'open', wait_minutes: 8, wait_text: null } as const
  const closed = (wait_text: string) => ({ status: 'closed', wait_minutes: null, wait_text }) as const

  /** One night of two checkpoints that open at 04:00 and 05:00, closed since 22:30, as words of their source. */
  const NIGHT = [
    readingAt(-2, open),
    readingAt(-1.5, closed('Opens 4am')),
    readingAt(2, closed('Opens 4am')),
    readingAt(-1.5, { checkpoint: 'South', ...closed('Opens 5am') }),
    readingAt(9, { checkpoint: 'South', ...open }),
    readingAt(13.9, open),
  ]

  async function snapshotOf(rows: Reading[], iata = 'DCA') {
    const warehouse = await newWarehouse()
    await warehouse.land(readings, rows)
    const airports = [airportDirectory().byIata.get(iata)!]
    const { content } = await gatherSnapshot(warehouse, { now: NOW, simulated: false, airports })
    return snapshotReader('test', content)
  }

  const contextOf = (snapshot: Awaited<ReturnType<typeof snapshotOf>>) =>
    ({ snapshot, directory: airportDirectory(), now: NOW, tier: 'enterprise', caller: null }) as never

  describe('published opening hours', () => {
    test('bind a typical forecast and a plan after one night, which is not enough to learn them', async () => {
      const snapshot = await snapshotOf(NIGHT)
      const { hours } = getPredictions.run({ iata: 'DCA', date: '2026-11-21' }, contextOf(snapshot)) as never as {
        hours: { local_time: string; status: string; wait_minutes: number | null }[]
      }
      const byClock = new Map(hours.map((hour) => [hour.local_time.slice(11, 13), hour]))
      for (const clock of ['00', '01', '02', '03'])
        expect(byClock.get(clock), clock).toMatchObject({ status: 'closed', wait_minutes: null })
      expect(byClock.get('04')).toMatchObject({ status: 'open' })
      expect(byClock.get('04')!.wait_minutes).not.toBeNull()
      expect(snapshot.forecast('DCA')!.model.basis).toBe('typical')

      const plan = (departure: string) =>
        getLeaveBy.run({ iata: 'DCA', departure }, contextOf(snapshot)) as never as {
          leave_times: { p50: { leave_at_local: string } | null }
          security_closes_at_local: string | null
          security_opens_at_local: string | null
          recommended: { arrive_at_local: string } | null
        }
      // Nobody gets through between the closing of the evening and the opening.
      const night = plan('2026-11-21T03:30')
      expect(night.security_closes_at_local).toBe('2026-11-20T23:00:00-05:00')
      expect(night.leave_times.p50!.leave_at_local < '2026-11-20T23').toBe(true)
      const early = plan('2026-11-21T05:30')
      expect(early.security_opens_at_local).toBe('2026-11-21T04:00:00-05:00')
      // Beyond the forecast they count as well.
      expect(plan('2026-12-10T03:30').leave_times.p50!.leave_at_local < '2026-12-09T23').toBe(true)
    })

    test('say when a closed queue opens, as published', async () => {
      const snapshot = await snapshotOf(NIGHT)
      const night = snapshot.asOf(Date.parse('2026-11-21T07:00:00Z')).queue('DCA', 'security')
      expect(night).toMatchObject({
        status: 'closed',
        reopens_at: '2026-11-21T09:00:00Z',
        reopens_basis: 'measured',
        reopens_days: null,
      })
    })

    test('are those of the last lane to close and the first to open, and of no queue with a lane that states none', async () => {
      const dfw = (name: string, wait_text: string | null) =>
        readingAt(12, { source: 'mobi-dfw', iata: 'DFW', terminal: '', checkpoint: name, status: 'open', wait_text })
      const bounds = async (rows: Reading[]) => {
        const hours = (await snapshotOf(rows, 'DFW')).openingHours('DFW', 'security')
        // From midnight in Dallas on.
        return hours && Array.from({ length: 24 }, (_, hour) => openPercentAt(hours, NOW + (hour + 11) * HOUR_MS))
      }
      const both = await bounds([dfw('A12', 'Open 04:30 - 20:00'), dfw('B9', 'Open 05:00 - 22:00')])
      expect(both!.map((percent, hour) => (percent <= 10 ? hour : -1)).filter((hour) => hour >= 0)).toEqual([
        0, 1, 2, 3, 22, 23,
      ])
      expect(both![4]).toBe(50)
      expect(both!.slice(5, 22).every((percent) => percent >= 90)).toBe(true)
      expect(await bounds([dfw('A12', 'Open 04:00 - 20:00'), dfw('B9', null)])).toBeNull()
      expect(await bounds([dfw('A12', 'Open 00:00 - 24:00')])).toBeNull()
    })

    test('follow the local clock', async () => {
      const hours = (await snapshotOf(NIGHT)).openingHours('DCA', 'security', '2')!
      expect(hours).toMatchObject({ timezone, terminal: '2', published: { source: 'mwaa-dca', opening_hour: 4 } })
      // 03:00 in summer is 07:00 UTC.
      expect(openPercentAt(hours, Date.parse('2027-07-01T07:00:00Z'))).toBe(1)
      expect(openPercentAt(hours, Date.parse('2027-07-01T08:00:00Z'))).toBe(99)
    })
  })
})
