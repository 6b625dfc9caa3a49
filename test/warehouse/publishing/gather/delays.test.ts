import { expect, test } from 'vitest'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { chooseRun, delaysContent } from '../../../../warehouse/publishing/gather/delays.ts'
import { delays as publishedDelays } from '../../../../warehouse/publishing/read/delays.ts'
import { type Delay, delays } from '../../../../warehouse/tables/delays.ts'
import { type Run, runs } from '../../../../warehouse/tables/runs.ts'
import { testValues } from '../../../values.ts'
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

/** A run so many minutes ago, and a row that a capture of then listed about an airport. */
type RunCase = { ago: number; fails?: true }
type DelayCase = Partial<Delay> & { ago?: number; at?: string }

testValues('warehouse/publishing/gather/delays.json', {
  chooseRun: (events: number, xml: number) => {
    const entry = (source: string, minutes: number) => ({
      source,
      finished_at: ago(minutes),
      observed_at: ago(minutes),
    })
    const order = ['faa-airport-events', 'faa-nas-status']
    expect(chooseRun(order, [], NOW)).toBeNull()
    return chooseRun(order, [entry('faa-nas-status', xml), entry('faa-airport-events', events)], NOW)?.source
  },
  statesOf: async (runRows: RunCase[], delayRows: DelayCase[]) => {
    const content = await statesOf(
      runRows.map(({ ago: minutes, fails }) => run('faa-nas-status', minutes, fails ? failed() : {})),
      delayRows.map(({ ago: minutes = 1, at: code = 'SFO', ...over }) =>
        delay({ observed_at: ago(minutes), iata: code, faa_id: code, ...over }),
      ),
    )
    return { ...content, airports: Object.keys(content.delays) }
  },
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
