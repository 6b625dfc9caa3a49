import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { countsDisagree } from '../../../pipeline/collectors/cbp-awt.ts'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'
import { readWaitText } from '../../../pipeline/parsing/posted-waits.ts'
import { contextFor, parseAs, sharedFile } from './context.ts'

/** Collections of real values that are too large for `cases/`: every value of them is read, and none is invented. */

const DUB = sharedFile('samples', 'dub-2022', 'T1_queues-first-rows.csv')
const AMS = sharedFile('samples', 'ams-schiphol', 'excerpt-2023-07.csv')
const PDX = sharedFile('samples', 'pdx', 'observed-values.csv')
const LAS = sharedFile('samples-constructed', 'zensors-las-excerpt', 'LAS-2026-05-18.init-excerpt.json')
const PHX = sharedFile('samples', 'phx-and-qsensor-2026-04-30', 'data.json')
const GOT = sharedFile('samples', 'swedavia-waittime', 'GOT-2023-12-04.queue-items.json')
const ATL_WORDS = sharedFile('samples', 'atl-official', 'atl-first-rows.csv')
const CATSA_WORDS = sharedFile('samples', 'catsa', 'YYZ-first-rows.csv')

it.skipIf(DUB === null)('DUB: every number that was posted in 2022 is read', () => {
  const posted = [...(DUB ?? '').matchAll(/,(\d+)\s*$/gm)].map((match) => Number(match[1]))
  expect(posted.length).toBeGreaterThan(20)
  for (const minutes of posted)
    expect(parseAs('dub-dap', `{"T1":"=${minutes}"}`, 'DUB').readings[0]?.wait_minutes).toBe(minutes)
})

it.skipIf(AMS === null)('AMS: every filter of the readings of 2023 is known', () => {
  const rows = (AMS ?? '').trim().split('\n').slice(1)
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const [, filter = '', seconds = ''] = row.trim().split(',')
    const body = JSON.stringify({ [filter]: { waitTimeInSeconds: Number(seconds) } })
    const { readings, notices } = parseAs('ams-schiphol', body, null)
    expect(readings.map(({ wait_minutes }) => wait_minutes)).toEqual(
      filter.startsWith('V') ? [seconds === '0' ? null : Number(seconds) / 60] : [],
    )
    expect(notices.map(({ code }) => code)).toEqual(seconds === '0' ? ['filler_value'] : [])
  }
})

it.skipIf(PDX === null)('PDX: the values that were observed are read', () => {
  const observed = (PDX ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
  const WaitTimes = observed.map(([CounterName, EstimatedDwell, DisplayText]) => ({
    CounterName,
    EstimatedDwell: Number(EstimatedDwell),
    DisplayText,
  }))
  const flags = { NorthCheckpointClosed: false, SouthCheckpointClosed: false }
  const { readings, notices } = parseAs('pdx-tsa', JSON.stringify({ WaitTimes, ...flags }), 'PDX')
  expect(notices).toEqual([])
  expect(readings.map((row) => row.wait_minutes)).toEqual([8, 4, 9, 6])
})

it.skipIf(LAS === null)('LAS: the values of 2026-05-18 are read, and its journeys are known', () => {
  const { journeys, initialJourneyData } = JSON.parse(LAS ?? '{}')
  const { readings } = parseAs(
    'zensors-las',
    JSON.stringify([{ result: { data: { paths: initialJourneyData.paths } } }]),
    'LAS',
  )
  expect(readings.map((row) => [row.lane, row.wait_minutes])).toEqual([
    ['standard', 1.5],
    ['precheck', 1],
  ])
  const known = String(contextFor('zensors-las', 'LAS').source.options.journeys)
  for (const [id, { name }] of Object.entries<{ name: string }>(journeys)) expect(known).toContain(`${id}=${name}`)
})

it.skipIf(PHX === null)('PHX: the queues of 2026-04-30 have known lanes', () => {
  const published: { name: string; waitMinutes: number }[] = JSON.parse(PHX ?? '{}').PHX.data
  const current = published.map(({ name, waitMinutes }) => ({
    queueName: name,
    projectedWaitTime: waitMinutes * 60,
    time: '2026-04-30T19:21:00Z',
  }))
  const body = JSON.stringify({ success: true, current })
  const { readings, notices } = parseAs('aci-phx', body, 'PHX', '2026-04-30T19:22:00Z')
  expect(notices).toEqual([])
  expect(readings.map((row) => [row.terminal, row.lane, row.wait_minutes])).toEqual([
    ['3', 'standard', 10],
    ['4', 'standard', 11],
    ['4', 'standard', 11],
    ['4', 'standard', 10],
    ['4', 'standard', 9],
  ])
})

it.skipIf(GOT === null)('GOT: the queues of 2023-12-04 are read', () => {
  const { readings, notices } = parseAs('swedavia-keyed', `{"waitTimes":${GOT}}`, 'GOT', '2023-12-04T09:53:00Z')
  expect(notices).toEqual([])
  expect(readings.map((row) => [row.checkpoint, row.lane, row.wait_minutes])).toEqual([
    ['Security Landvetter', 'priority', 2],
    ['Security Landvetter', 'standard', 7],
  ])
})

it.skipIf(ATL_WORDS === null)('every wait that ATL posted in 2025-10 is understood', () => {
  const words = parseCsv(ATL_WORDS ?? '').map((row) => row.wait_time ?? '')
  expect(words.length).toBeGreaterThan(10)
  expect(words.filter((word) => !readWaitText(word).understood)).toEqual([])
})

it.skipIf(CATSA_WORDS === null)('every range that CATSA posted in 2022-05 is understood', () => {
  const words = parseCsv(CATSA_WORDS ?? '').flatMap((row) => Object.values(row).slice(1))
  expect(words.length).toBeGreaterThan(100)
  expect([...new Set(words)].filter((word) => !readWaitText(word).understood)).toEqual([])
})

describe.skipIf(sharedFile('samples', 'cbp-awt', 'awt_ATL_sample.csv') === null)('real exports of CBP', () => {
  it.each(['ATL', 'LAX', 'PVD'])('%s: reads every row, and the three rules of the counts hold', (iata) => {
    const text = sharedFile('samples', 'cbp-awt', `awt_${iata}_sample.csv`) ?? ''
    const rows = parseCsv(text)
    expect(rows.length).toBe(text.trim().split('\n').length - 1)
    expect(rows.filter((row) => countsDisagree(row))).toEqual([])
    const { readings, notices } = parseAs('cbp-awt', text, iata)
    expect(notices.filter((notice) => notice.code !== 'local_hour_twice')).toEqual([])
    expect(readings).toHaveLength(rows.length)
    for (const [index, row] of rows.entries()) {
      const measured = Number(row.TotalPassengerCount) - Number(row.ExcludedPassengerCount)
      expect(readings[index]?.wait_minutes).toBe(measured === 0 ? null : Number(row.AverageWait))
      expect(Number(row.MaxWait)).toBe(Math.max(Number(row.UsaPassengerMaxWait), Number(row.NonUsaPassengerMaxWait)))
    }
  })
})

const SNAPSHOTS = ['2026-04-20T171024', '2026-06-11T230918', '2026-07-17T140017']
const snapshots = SNAPSHOTS.map((day) => sharedFile('samples', 'aggregator-us', `flyfast-wait_times-${day}.json`))

interface Airport {
  code: string
  error: string | null
  checkpoints: { waitMinutes: number | null; status: string }[]
}

describe('real snapshots', () => {
  it.skipIf(snapshots.includes(null)).each(SNAPSHOTS.map((day, index) => [day, snapshots[index] ?? '{}']))(
    'of %s: reads every number of every airport and invents none',
    (_day, body) => {
      const source = sourceById('fromthetraytable')
      const airports = (JSON.parse(body).airports as Airport[]).filter(({ code }) => source.airports.includes(code))
      expect(airports.length).toBe(source.airports.length)
      for (const airport of airports) {
        const answer = JSON.stringify({ airport: { ...airport, scrapeError: airport.error } })
        const { readings, notices } = parseAs('fromthetraytable', answer, airport.code)
        for (const notice of notices) expect(['source_reports_error', 'duplicate_row']).toContain(notice.code)
        const open = airport.checkpoints.filter(({ status }) => status !== 'closed')
        const minutes = new Set(open.flatMap(({ waitMinutes }) => waitMinutes ?? []))
        const read = new Set(readings.flatMap((row) => row.wait_minutes ?? []))
        for (const minute of read) expect(minutes).toContain(minute)
        if (!notices.some((notice) => notice.code === 'duplicate_row')) expect(read).toEqual(minutes)
      }
    },
  )

  it.skipIf(snapshots.includes(null)).each(SNAPSHOTS.map((day, index) => [day, snapshots[index] ?? '{}']))(
    'of %s parse whole, like their airports one by one',
    (_day, body) => {
      const source = sourceById('fromthetraytable')
      const { airports } = JSON.parse(body) as { airports: Airport[] }
      const whole = parseAs('fromthetraytable', body, null)
      const single = airports
        .filter(({ code }) => source.airports.includes(code))
        .map((airport) => parseAs('fromthetraytable', JSON.stringify({ airport }), airport.code))
      expect(whole.readings).toEqual(single.flatMap(({ readings }) => readings))
      expect(whole.readings.length).toBeGreaterThan(150)
      expect(whole.readings.filter(({ status, wait_minutes }) => status === 'closed' && wait_minutes !== null)).toEqual(
        [],
      )
      // Airports that the source does not measure, and CLE with its invented minutes, are left out and named.
      const left = whole.notices.filter(({ code }) => code === 'airport_unexpected').map(({ value }) => value)
      expect(left.sort()).toEqual(
        airports
          .map(({ code }) => code)
          .filter((code) => !source.airports.includes(code))
          .sort(),
      )
      const dal = parseAs('fromthetraytable', body, 'DAL')
      expect(new Set(dal.readings.map(({ iata }) => iata))).toEqual(
        new Set(whole.readings.filter(({ iata }) => iata === 'DAL').map(({ iata }) => iata)),
      )
    },
  )

  it.skipIf(PHX === null)('of 2026-04-30: reads every name that qsensor showed', () => {
    const seen = Object.entries(JSON.parse(PHX ?? '{}')).filter(([iata]) =>
      sourceById('qsensor').airports.includes(iata),
    )
    expect(seen.length).toBe(14)
    for (const [iata, value] of seen) {
      const rows = (value as { data: { name: string; waitMinutes: string }[] }).data
      const page = rows.map((row) => `<p><b>${row.name}</b> <i>${row.waitMinutes} mins</i> wait</p>`).join('\n')
      const { readings, notices } = parseAs('qsensor', page, iata)
      expect(notices, iata).toEqual([])
      expect(
        readings.map((row) => row.wait_minutes),
        iata,
      ).toEqual(rows.map((row) => Number(row.waitMinutes)))
    }
  })
})
