import { expect, test } from 'vitest'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { chooseRun, delaysContent } from '../../../../warehouse/publishing/gather/delays.ts'
import { delays as publishedDelays } from '../../../../warehouse/publishing/read/delays.ts'
import { type Delay, delays } from '../../../../warehouse/tables/delays.ts'
import { type Run, runs } from '../../../../warehouse/tables/runs.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { failed, listed, run as runAt } from '../../test-rows.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString().replace('.000Z', 'Z')

const run = (source: string, minutes: number, over: Partial<Run> = {}) => runAt(ago(minutes), { source, ...over })

const delay = (over: Partial<Delay>) => listed(ago(1), { iata: 'SFO', faa_id: 'SFO', ...over })

async function statesOf(runRows: Run[], delayRows: Delay[]) {
  const warehouse = await newWarehouse()
  await warehouse.land(runs, runRows)
  await warehouse.land(delays, delayRows)
  return delaysContent(warehouse, NOW, airportDirectory().all)
}

test('each FAA source replaces the other when the last good run of the other is ten minutes old', () => {
  const entry = (source: string, minutes: number) => ({ source, finished_at: ago(minutes), observed_at: ago(minutes) })
  const order = ['faa-airport-events', 'faa-nas-status']
  const chosen = (events: number, xml: number) =>
    chooseRun(order, [entry('faa-nas-status', xml), entry('faa-airport-events', events)], NOW)?.source
  expect([chosen(5, 1), chosen(15, 1), chosen(15, 40), chosen(40, 15)]).toEqual([
    'faa-airport-events',
    'faa-nas-status',
    'faa-airport-events',
    'faa-nas-status',
  ])
  expect(chooseRun(order, [], NOW)).toBeNull()
})

test('a program that is missing from the newest answer is not published', async () => {
  const old = delay({ observed_at: ago(30), faa_id: 'JFK', iata: 'JFK' })
  const { delays: states, quiet } = await statesOf(
    [run('faa-nas-status', 30), run('faa-nas-status', 1)],
    [old, delay({})],
  )
  expect(Object.keys(states)).toEqual(['SFO'])
  expect(states['SFO']).toMatchObject({
    status: 'ground_delay',
    source: 'faa-nas-status',
    age_seconds: 60,
    freshness: 'live',
  })
  expect(quiet).toMatchObject({ status: 'normal', freshness: 'live' })
})

test('a failed run changes nothing: the last good answer stays, with its age', async () => {
  const { delays: states } = await statesOf(
    [run('faa-nas-status', 45), run('faa-nas-status', 1, failed())],
    [delay({ observed_at: ago(45) })],
  )
  expect(states['SFO']).toMatchObject({ status: 'ground_delay', age_seconds: 2_700, freshness: 'recent' })
})

test('an answer of a time when the clock was ahead hides no answer of now', async () => {
  const ahead = -24 * 60
  const { delays: states } = await statesOf(
    [run('faa-nas-status', ahead), run('faa-nas-status', 1)],
    [delay({ observed_at: ago(ahead), faa_id: 'JFK', iata: 'JFK' }), delay({})],
  )
  expect(Object.keys(states)).toEqual(['SFO'])
})

test('without a good answer in six hours the status is unknown, not normal', async () => {
  const { quiet, delays: states } = await statesOf([run('faa-nas-status', 400)], [delay({ observed_at: ago(400) })])
  expect(states).toEqual({})
  expect(quiet).toMatchObject({ status: 'unknown', source: null, freshness: null })
})

test('a program that names a Canadian airport holds departures from there, and is told there', async () => {
  const program = delay({ faa_id: 'SEA', iata: 'SEA', average_minutes: 55, scope: 'within 1200 NM; with CYEG CYVR' })
  const content = await statesOf([run('faa-nas-status', 1)], [program])
  expect(content.delays['YVR']).toMatchObject({
    supported: false,
    status: 'unknown',
    programs: [{ type: 'ground_delay', destination: 'SEA', average_minutes: 55 }],
    source: 'faa-nas-status',
  })
  expect(content.delays['SEA']).toMatchObject({ status: 'ground_delay', programs: [{ destination: null }] })
  const index = publishedDelays.index({ ...content, faa_airports: ['SEA'] })
  const time = { generatedMs: NOW, atMs: NOW, aged: <T>(figure: T) => figure }
  const reader = publishedDelays.read(index, time as never)
  expect(reader.delayedAirports()).toEqual(['SEA'])
  expect(reader.delays('YUL').unavailable_reason).toContain('none names this one now')
  expect(reader.delays('LHR').unavailable_reason).toContain('The FAA does not cover this airport')
  const own = await statesOf([run('faa-nas-status', 1)], [delay({ faa_id: 'YUL', iata: 'YUL' })])
  expect(own.delays['YUL']).toMatchObject({ supported: true, status: 'ground_delay' })
})

test('a full closure closes an airport and outranks a ground stop; a partial closure does not', async () => {
  const partial = delay({
    faa_id: 'LAX',
    iata: 'LAX',
    type: 'closure',
    reason: '!LAX …',
    closed_to_airlines: false,
    start: ago(60),
    end: ago(-60),
  })
  const full = delay({
    faa_id: 'PVD',
    iata: 'PVD',
    type: 'closure',
    reason: '!PVD …',
    closed_to_airlines: true,
    start: ago(60),
    end: ago(-60),
  })
  const stop = delay({ faa_id: 'PVD', iata: 'PVD', type: 'ground_stop', average_minutes: null })
  const { delays: states } = await statesOf([run('faa-nas-status', 1)], [partial, full, stop])
  expect(states['LAX']).toMatchObject({ status: 'normal', closures: [{ in_force: false }] })
  expect(states['PVD']).toMatchObject({ status: 'closed', closures: [{ in_force: true }] })
})

test('a program that begins later is listed, and is not the state of now', async () => {
  const later = delay({ start: ago(-540), end: ago(-780) })
  const arrivals = delay({ iata: 'LGA', faa_id: 'LGA', type: 'arrival_delay' })
  const content = await statesOf(
    [run('faa-nas-status', 1)],
    [later, arrivals, { ...later, iata: 'LGA', faa_id: 'LGA' }],
  )
  expect(content.delays['SFO']).toMatchObject({ status: 'normal', programs: [{ type: 'ground_delay' }] })
  expect(content.delays['LGA']).toMatchObject({ status: 'minor_delay', programs: [{}, {}] })
  const index = publishedDelays.index({ ...content, faa_airports: [] })
  const statusAfter = (minutes: number) =>
    publishedDelays
      .read(index, { generatedMs: NOW, atMs: NOW + minutes * 60_000, aged: (figure) => figure })
      .delays('SFO').status
  expect([539, 540].map(statusAfter)).toEqual(['normal', 'ground_delay'])
})

test('ended programs are not published; flow programs belong to no airport', async () => {
  const ended = delay({ type: 'ground_stop', end: ago(5) })
  const flow = delay({ faa_id: 'FCAJX1', iata: null, type: 'airspace_flow', average_minutes: 24 })
  const { delays: states, flow_programs } = await statesOf([run('faa-nas-status', 1)], [ended, flow])
  expect(states).toEqual({})
  expect(flow_programs).toMatchObject([{ faa_id: 'FCAJX1', type: 'airspace_flow', average_minutes: 24 }])
})

test('a closure tells its daily hours by the clock of the airport, in words', async () => {
  const { delays: states } = await statesOf(
    [run('faa-nas-status', 1)],
    [
      delay({
        type: 'closure',
        reason: '!SFO 11/021 SFO AD AP CLSD EXC HEL DLY 0600-1330 2611010600-2611301330',
        average_minutes: null,
        max_minutes: null,
        closed_to_airlines: true,
        closed_hours_utc: '0600-1330',
        start: '2026-11-01T06:00:00Z',
        end: '2026-11-30T13:30:00Z',
      }),
    ],
  )
  expect(states['SFO']).toMatchObject({
    status: 'closed',
    closures: [{ closed_hours_utc: '0600-1330', closed_hours_local: 'every night from 22:00 to 05:30' }],
  })
})
