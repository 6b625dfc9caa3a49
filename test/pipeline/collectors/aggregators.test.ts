import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { allSources, sourceById } from '../../../config/sources.ts'
import { qsensor, waitport } from '../../../pipeline/collectors/aggregators.ts'
import { FETCHED, fixture, parseAs, sharedFile } from './context.ts'

type ParseOutcome = ReturnType<typeof parseAs>

const waits = ({ readings }: ParseOutcome) =>
  readings.map((row) => [
    row.terminal,
    row.checkpoint,
    row.lane,
    row.wait_minutes ?? [row.wait_minutes_low, row.wait_minutes_high],
    row.status,
  ])
const codes = ({ notices }: ParseOutcome) => notices.map((one) => one.code)
const requestContext = (id: string, airports: string[]) => ({
  source: sourceById(id),
  airports,
  now: 0,
  learned_keys: {},
  icaoOf: () => null,
})

describe('aggregators', () => {
  it('are off, each with a reason', () => {
    const sources = allSources().filter(({ publisher, kind }) => publisher === 'aggregator' && kind !== 'places')
    expect(sources.map((source) => source.id).sort()).toEqual([
      'fromthetraytable',
      'qsensor',
      'tsawaittimes-com',
      'waitport',
    ])
    for (const source of sources) expect(source.why_off).toMatch(/\w+ \w+/)
    expect(sources.filter((source) => source.active)).toEqual([])
  })

  it('have the only known source of DAL, and none of CLE, whose minutes they derive from levels', () => {
    const having = (iata: string) =>
      allSources()
        .filter((source) => source.kind === 'security' && source.airports.includes(iata))
        .map((source) => source.id)
    expect(having('DAL')).toEqual(['fromthetraytable'])
    expect(having('CLE')).not.toContain('fromthetraytable')
  })
})

describe('fromthetraytable', () => {
  const payload = JSON.parse(fixture('tray-table.json'))
  const changed = (airport: object, iata: string | null = 'DAL') =>
    parseAs('fromthetraytable', JSON.stringify({ airport: { ...payload.airport, ...airport } }), iata)

  it('reads lanes from the list or the name, lands passport control as immigration, and drops the wait of a closed queue', () => {
    const parsed = parseAs('fromthetraytable', fixture('tray-table.json'), 'DAL')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['', 'Security Checkpoint', 'standard', 6, 'open'],
      ['', 'Security Checkpoint', 'precheck', [1, 3], 'open'],
      ['C', 'Terminal C – Checkpoint C10 (North)', 'all', 9, 'open'],
      ['', 'FIS', 'all', 20, 'unknown'],
      ['', 'East', 'precheck', [null, null], 'closed'],
      ['', 'East', 'clear', [null, null], 'closed'],
    ])
    expect(parsed.readings.map((row) => row.kind)).toEqual([
      'security',
      'security',
      'security',
      'immigration',
      'security',
      'security',
    ])
    expect(parsed.readings[0]).toMatchObject({ observed_at: '2026-11-21T10:00:00Z', observed_at_basis: 'source' })
  })

  it('reports why there are no numbers, and lands none', () => {
    const none = changed({ scrapeError: 'NO DATA: it does not publish waits.', checkpoints: [] })
    expect([none.readings, codes(none)]).toEqual([[], ['source_reports_error']])
  })

  it('leaves out an airport that was not requested, CLE in particular', () => {
    expect(codes(changed({ code: 'CLE' }))).toEqual(['airport_unexpected'])
    expect(changed({ code: 'CLE' }, null).readings).toEqual([])
  })

  it('reads a snapshot of all airports like the answers of each', () => {
    const { airport } = payload
    const other = { ...airport, code: 'BNA', error: 'fetch failed', checkpoints: [] }
    const snapshot = (iata: string | null) =>
      parseAs(
        'fromthetraytable',
        JSON.stringify({ updated_at: '2026-11-21T10:00:00Z', airports: [airport, other] }),
        iata,
      )
    const whole = snapshot(null)
    expect(whole.readings).toEqual(parseAs('fromthetraytable', fixture('tray-table.json'), 'DAL').readings)
    expect(whole.notices).toMatchObject([{ code: 'source_reports_error', iata: 'BNA', value: 'fetch failed' }])
    expect(snapshot('DAL')).toEqual({ readings: whole.readings, notices: [] })
    expect(snapshot('BNA').readings).toEqual([])
  })
})

describe('waitport', () => {
  it('requests the newest row of each airport', () => {
    expect(waitport.request(requestContext('waitport', ['CPH'])).map((one) => one.url)).toEqual([
      'https://waitport.com/api/v1/all?airport=eq.CPH&order=id.desc&limit=1',
    ])
  })

  it('reads one number per airport, with its time in UTC', () => {
    const parsed = parseAs('waitport', fixture('waitport.json'), 'CPH')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([['', '', 'all', 7, 'unknown']])
    expect(parsed.readings[0]?.observed_at).toBe('2026-11-21T10:00:04.510Z')
  })

  it('accepts an empty list, and reports a row of another airport and an impossible number', () => {
    expect(parseAs('waitport', '[]', 'CPH')).toEqual({ readings: [], notices: [] })
    expect(codes(parseAs('waitport', fixture('waitport.json'), 'OSL'))).toEqual(['airport_unexpected'])
    const negative = parseAs('waitport', fixture('waitport.json').replace('"queue": 7', '"queue": -1'), 'CPH')
    expect([negative.readings[0]?.wait_minutes, codes(negative)]).toEqual([null, ['wait_out_of_range']])
    expect(codes(parseAs('waitport', '[7]', 'CPH'))).toEqual(['row_unreadable'])
    expect(() => parseAs('waitport', '{"message":"not found"}', 'CPH')).toThrow(ParseError)
  })
})

describe('qsensor', () => {
  it('requests the page that the catalogue names for each airport', () => {
    const source = sourceById('qsensor')
    const urls = qsensor.request(requestContext('qsensor', source.airports)).map((one) => one.url)
    expect(urls).toHaveLength(source.airports.length)
    expect(urls).toContain('https://qsensor.co/airports/los-angeles-international-airport-tsa-wait-times/')
  })

  it('reads place and lane from one name', () => {
    const parsed = parseAs('qsensor', fixture('qsensor.html'), 'LAX')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['', '', 'all', 3, 'open'],
      ['Tom Bradley', '', 'standard', 4, 'open'],
      ['Tom Bradley', '', 'precheck', 2, 'open'],
      ['2', 'Checkpoint 5', 'standard', 1, 'open'],
      ['', 'Checkpoint BC', 'clear', 1, 'open'],
    ])
    expect(parsed.readings[0]).toMatchObject({ observed_at: FETCHED, observed_at_basis: 'fetch' })
  })

  it('does not give a terminal without a wait the wait of the next one', () => {
    const page = '<p>Terminal 1 no data</p><p>Terminal 2 <b>5 mins</b> wait</p>'
    expect(waits(parseAs('qsensor', page, 'LAX'))).toEqual([['2', '', 'all', 5, 'open']])
  })

  it('accepts a page of terminals without waits, and rejects a robot check', () => {
    expect(parseAs('qsensor', '<p>Terminal 1 has no data</p>', 'LAX')).toEqual({ readings: [], notices: [] })
    expect(() => parseAs('qsensor', '<title>Just a moment...</title>', 'LAX')).toThrow(ParseError)
  })
})

const SNAPSHOTS = ['2026-04-20T171024', '2026-06-11T230918', '2026-07-17T140017']
const snapshots = SNAPSHOTS.map((day) => sharedFile('samples', 'aggregator-us', `flyfast-wait_times-${day}.json`))
const published = sharedFile('samples', 'phx-and-qsensor-2026-04-30', 'data.json')

interface Airport {
  code: string
  error: string | null
  checkpoints: { waitMinutes: number | null; status: string }[]
}

describe('real snapshots', () => {
  it.skipIf(snapshots.includes(null)).each(SNAPSHOTS.map((day, at) => [day, snapshots[at] ?? '{}']))(
    'of %s: reads every number of every airport and invents none',
    (_day, body) => {
      const source = sourceById('fromthetraytable')
      const airports = (JSON.parse(body).airports as Airport[]).filter(({ code }) => source.airports.includes(code))
      expect(airports.length).toBe(source.airports.length)
      for (const airport of airports) {
        const answer = JSON.stringify({ airport: { ...airport, scrapeError: airport.error } })
        const { readings, notices } = parseAs('fromthetraytable', answer, airport.code)
        for (const one of notices) expect(['source_reports_error', 'duplicate_row']).toContain(one.code)
        const open = airport.checkpoints.filter(({ status }) => status !== 'closed')
        const minutes = new Set(open.flatMap(({ waitMinutes }) => waitMinutes ?? []))
        const read = new Set(readings.flatMap((row) => row.wait_minutes ?? []))
        for (const one of read) expect(minutes).toContain(one)
        if (!notices.some((one) => one.code === 'duplicate_row')) expect(read).toEqual(minutes)
      }
    },
  )

  it.skipIf(snapshots.includes(null)).each(SNAPSHOTS.map((day, at) => [day, snapshots[at] ?? '{}']))(
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

  it.skipIf(published === null)('of 2026-04-30: reads every name that qsensor showed', () => {
    const seen = Object.entries(JSON.parse(published ?? '{}')).filter(([iata]) =>
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
