import { expect, test } from 'vitest'
import { isoUtc } from '../../../config/vocabulary.ts'
import { recentReadings } from '../../../pipeline/collecting/recent-readings.ts'
import { replay } from '../../../pipeline/collecting/replay.ts'
import { latestReadings } from '../../../warehouse/publishing/waits/queue-wait.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { reading } from '../../warehouse/test-rows.ts'
import { fixture } from '../collectors/context.ts'
import { text } from '../local-site.ts'
import { openSiteOn } from '../test-pipeline.ts'

const NOW = Date.parse('2026-11-21T10:03:00Z')
const CHECKPOINTS = JSON.parse(fixture('sea.json')) as object[]

/** Collects Seattle's feed every five minutes, once for each number of checkpoints in `listed`. */
async function collected(listed: number[], others: Parameters<typeof reading>[0][] = []) {
  const clock = { now: NOW }
  const { site, pipeline } = await openSiteOn(clock)
  await pipeline.warehouse.land(
    readings,
    others.map((other) =>
      reading({ observed_at: isoUtc(NOW - 600_000), available_at: isoUtc(NOW - 500_000), ...other }),
    ),
  )
  for (const count of listed) {
    const body = JSON.stringify(CHECKPOINTS.slice(0, count))
    site.pages.set('/www.portseattle.org/api/cwt/wait-times', text(body, 'application/json'))
    await pipeline.collect('sea-cwt')
    clock.now += 300_000
  }
  const notices = async () =>
    (await pipeline.notices('sea-cwt')).map(({ code, value, noticed_at }) => [code, value, noticed_at])
  return { pipeline, notices }
}

test('a lane that vanishes or appears has one notice; a replay returns the same notices', async () => {
  const { pipeline, notices } = await collected([4, 3, 3, 4, 4])
  const six = ['clear', 'precheck'].map((lane) => `["security","SEA","","6","${lane}"]`).join(' ')
  const expected = [
    ['lane_vanished', six, isoUtc(NOW + 300_000)],
    ['lane_appeared', six, isoUtc(NOW + 900_000)],
  ]
  expect(await notices()).toEqual(expected)
  await replay(pipeline.warehouse, {})
  expect(await notices()).toEqual(expected)
})

test('compares fresh readings of other sources at the airport, but not older or flagged ones or those of other airports', async () => {
  const far = { source: 'fromthetraytable', wait_minutes: 40 }
  const { pipeline, notices } = await collected(
    [4],
    [
      far,
      { ...far, checkpoint: 'flagged', wait_minutes: 400, flags: ['implausible_spike'] },
      { ...far, source: 'crowd', observed_at: isoUtc(NOW - 3_700_000) },
      { ...far, source: 'import-x', iata: 'PDX' },
      // Observed while the clock was ahead by a day.
      { ...far, wait_minutes: 90, observed_at: isoUtc(NOW + 86_400_000), available_at: isoUtc(NOW + 86_400_000) },
    ],
  )
  const expected = [['source_disagreement', '7 min, fromthetraytable 40 min', isoUtc(NOW)]]
  expect(await notices()).toEqual(expected)
  const known = await recentReadings(pipeline.warehouse, 'sea-cwt', ['SEA'], NOW)
  expect(known.others).toMatchObject([{ source: 'fromthetraytable', iata: 'SEA', wait_minutes: 40 }])
  expect(known.recent.size).toBe(5)
  await replay(pipeline.warehouse, {})
  expect(await notices()).toEqual(expected)
})

test('a feed without dates that stands still is not taken for new at the same time of the next days', async () => {
  const clock = { now: Date.parse('2026-10-30T11:50:00Z') }
  const { site, pipeline } = await openSiteOn(clock)
  const rows = [
    { terminal: '1', checkPoint: 'Main', queueType: 'Reg', isOpen: true, waitTime: 45, lastUpdated: '7:50 AM' },
    { terminal: '4', checkPoint: 'Main', queueType: 'Reg', isOpen: false, waitTime: 20, lastUpdated: '7:50 AM' },
  ]
  const serve = () =>
    site.pages.set(
      '/www.jfkairport.com/api/graphql',
      text(JSON.stringify({ data: { securityWaitTimes: rows } }), 'application/json'),
    )
  const shown = async () => {
    const readings = await latestReadings(pipeline.warehouse, clock.now, 'JFK')
    return readings.map(({ terminal, wait_minutes, status }) => [terminal, wait_minutes, status])
  }
  serve()
  await pipeline.collect('panynj-graphql')
  expect(await shown()).toEqual([
    ['1', 45, 'open'],
    ['4', null, 'closed'],
  ])
  // Summer time ends on the second of these days.
  for (const day of ['2026-10-31T11:', '2026-11-01T12:', '2026-11-02T12:']) {
    for (const minute of ['45:00Z', '51:00Z', '58:00Z']) {
      clock.now = Date.parse(day + minute)
      await pipeline.collect('panynj-graphql')
      expect(await shown(), day + minute).toEqual([])
    }
  }
  rows[1] = { ...rows[1]!, isOpen: true, waitTime: 22, lastUpdated: '8:05 AM' }
  serve()
  clock.now = Date.parse('2026-11-02T13:06:00Z')
  await pipeline.collect('panynj-graphql')
  expect(await shown(), 'a lane that moves again').toEqual([['4', 22, 'open']])
  const flagged = () => pipeline.warehouse.query('SELECT observed_at, terminal, flags FROM readings ORDER BY ALL')
  const before = await flagged()
  await replay(pipeline.warehouse, {})
  expect(await flagged()).toEqual(before)
  await replay(pipeline.warehouse, { from: '2026-11-01' })
  expect(await flagged(), 'without the captures of the day before').toEqual(before)
})

test('the first wait of a day may be that of the day before at the same time, where others lay between', async () => {
  const clock = { now: 0 }
  const { site, pipeline } = await openSiteOn(clock)
  const collectAt = async (now: string, lastUpdated: string, waitTime: number) => {
    const rows = [{ terminal: '1', checkPoint: 'Main', queueType: 'Reg', isOpen: true, waitTime, lastUpdated }]
    const body = JSON.stringify({ data: { securityWaitTimes: rows } })
    site.pages.set('/www.jfkairport.com/api/graphql', text(body, 'application/json'))
    clock.now = Date.parse(now)
    await pipeline.collect('panynj-graphql')
  }
  await collectAt('2026-11-10T12:51:00Z', '7:50 AM', 25)
  await collectAt('2026-11-10T13:31:00Z', '8:30 AM', 31)
  await collectAt('2026-11-11T12:51:00Z', '7:50 AM', 25)
  const flags = () => pipeline.warehouse.query('SELECT flags FROM readings ORDER BY observed_at')
  expect(await flags()).toEqual(Array(3).fill({ flags: [] }))
  await replay(pipeline.warehouse, {})
  expect(await flags()).toEqual(Array(3).fill({ flags: [] }))
})

test('a lane that closes or changes while the clock of its source stands still is shown as it is', async () => {
  const clock = { now: NOW }
  const { site, pipeline } = await openSiteOn(clock)
  const rowsSince: [shown: [minutes: number | null, status: string, age: number], row: object][] = []
  const row = { terminal: '1', checkPoint: 'Main', queueType: 'Reg', isOpen: true, waitTime: 5, lastUpdated: '5:00 AM' }
  rowsSince.push(
    [[5, 'open', 3], row],
    [[40, 'open', 0], { ...row, waitTime: 40 }],
    // The same figure once more is no newer for it.
    [[40, 'open', 5], { ...row, waitTime: 40 }],
    [[5, 'open', 0], row],
    // A copy older than every time of the source is none, though the last figure has that of a fetch.
    [[5, 'open', 5], { ...row, waitTime: 30, lastUpdated: '4:40 AM' }],
    [[null, 'closed', 0], { ...row, isOpen: false }],
    [[12, 'open', 2], { ...row, waitTime: 12, lastUpdated: '5:31 AM' }],
    // An older copy of the page, as of another cache, is none either.
    [[12, 'open', 7], row],
  )
  for (const [step, [expected, published]] of rowsSince.entries()) {
    const body = JSON.stringify({ data: { securityWaitTimes: [published] } })
    site.pages.set('/www.jfkairport.com/api/graphql', text(body, 'application/json'))
    await pipeline.collect('panynj-graphql')
    const [reading] = await latestReadings(pipeline.warehouse, clock.now, 'JFK')
    const age = (clock.now - Date.parse(reading!.observed_at)) / 60_000
    expect([reading!.wait_minutes, reading!.status, age], `step ${step}`).toEqual(expected)
    clock.now += 300_000
  }
  const stored = () =>
    pipeline.warehouse.query('SELECT observed_at, observed_at_basis, wait_minutes, status FROM readings ORDER BY ALL')
  const before = await stored()
  await replay(pipeline.warehouse, {})
  expect(await stored()).toEqual(before)
})
