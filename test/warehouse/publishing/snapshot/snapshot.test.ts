import { appendFile, copyFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ModelCard, type QueueWait, UNKNOWN_STATUS } from '../../../../config/answer-schemas.ts'
import { freshnessOf, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { ForecastBuilder } from '../../../../warehouse/publishing/gather/forecast-block.ts'
import { loadSnapshot } from '../../../../warehouse/publishing/snapshot/load.ts'
import { snapshotReader } from '../../../../warehouse/publishing/snapshot/snapshot.ts'
import { watchSnapshots } from '../../../../warehouse/publishing/snapshot/watch.ts'
import { writeSnapshot } from '../../../../warehouse/publishing/snapshot/write.ts'
import { measured } from '../../../api/fake-snapshot.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { emptyContent } from '../../snapshot-content.ts'

const AT = '2026-11-20T10:20:00Z'
const START = Date.parse('2026-11-20T10:00:00Z')
const card: ModelCard = {
  version: 'model:JFK@2026-11-20T04Z',
  trained_at: '2026-11-20T04:00:00Z',
  basis: 'predicted',
  backtest: { mae_minutes: 2, baseline_mae_minutes: 3, coverage_80: 0.8, samples: 10 },
}
const hours = (...waits: number[]) =>
  waits.map((wait) => ({ p10: wait - 1, p50: wait, p90: wait + 1.55, confidence: 0.75 }))

function forecasts() {
  const builder = new ForecastBuilder()
  const model = builder.addModel(card)
  builder.addSeries('JFK', '', START, builder.addValues(hours(12.3, 20)), model)
  const shared = builder.addValues(hours(5))
  for (const iata of ['AAA', 'BBB']) builder.addSeries(iata, '', START, shared, model)
  builder.addSeries('JFK', '4', START, builder.addValues(hours(30)), model)
  return builder.build()
}

test('loads a snapshot as it was published', async () => {
  const folder = await temporaryFolder()
  const wait = measured(Date.parse(AT), 9)
  const history = [
    {
      iata: 'SEA',
      terminal: '',
      hour: Int32Array.of(5, 9),
      mean: Int16Array.of(10, 20),
      p50: Int16Array.of(11, 21),
      p90: Int16Array.of(12, 22),
      max: Int16Array.of(13, 23),
      samples: Int32Array.of(1, 70_000),
      source: Uint16Array.of(1, 0),
      sources: ['one', 'crowd+one'],
    },
  ]
  await writeSnapshot(
    folder,
    emptyContent(AT, {
      forecasts: forecasts(),
      history,
      queues: [{ iata: 'SEA', kind: 'security', wait }],
      simulated: true,
    }),
  )
  const snapshot = await loadSnapshot(folder)
  expect(snapshot?.simulated).toBe(true)
  expect(snapshot?.queue('SEA', 'security')).toEqual(wait)
  const jfk = snapshot?.forecast('JFK')
  expect([
    Array.from(jfk?.p50 ?? []),
    Array.from(jfk?.p90 ?? []),
    Array.from(jfk?.confidence ?? []),
    jfk?.model,
  ]).toEqual([[123, 200], [139, 216], [75, 75], card])
  expect(Array.from(snapshot?.forecast('BBB')?.p50 ?? [])).toEqual([50])
  expect(snapshot?.terminals('JFK')).toEqual(['4'])
  expect(snapshot?.history('SEA')).toEqual(history[0])
})

test('answers from the forecast of the hour without a fresh measurement, and without a figure when there is no forecast', async () => {
  const folder = await temporaryFolder()
  await writeSnapshot(folder, emptyContent(AT, { forecasts: forecasts() }))
  const snapshot = await loadSnapshot(folder)
  const jfk = snapshot?.queue('JFK', 'security')
  expect(jfk).toMatchObject({
    average_wait_minutes: 12,
    basis: 'predicted',
    observed_at: null,
    age_seconds: null,
    freshness: null,
    source: card.version,
  })
  const expected = { basis: 'predicted', observed_at: null, age_seconds: null, freshness: null, source: card.version }
  expect(jfk?.terminals).toMatchObject([
    { terminal: '4', wait_minutes: 30, ...expected, status: 'unknown', unavailable_reason: null, checkpoints: [] },
  ])
  const none = snapshot?.queue('ZZZ', 'security')
  expect(none).toMatchObject({ average_wait_minutes: null, basis: null })
  expect(none?.unavailable_reason).toMatch(/no source/i)
  expect(snapshot?.queue('JFK', 'immigration').average_wait_minutes).toBeNull()
})

test('a lane for some that is observed stands beside what the forecast expects for everybody', async () => {
  const folder = await temporaryFolder()
  const seen = {
    basis: 'measured' as const,
    observed_at: AT,
    age_seconds: 0,
    source: 'jfk',
    freshness: 'live' as const,
  }
  const none = { ...UNKNOWN_STATUS, ...seen, unavailable_reason: 'only PreCheck is reported' }
  const lane = { ...UNKNOWN_STATUS, ...seen, checkpoint: 'all', range: null, open: null, unavailable_reason: null }
  const terminal = (name: string, wait_minutes: number | null, kind: 'precheck' | 'standard') => ({
    terminal: name,
    wait_minutes: null,
    ...none,
    checkpoints: [{ ...lane, lane: kind, wait_minutes }],
  })
  const wait: QueueWait = {
    average_wait_minutes: null,
    ...none,
    terminals: [terminal('T4', 3, 'precheck'), terminal('5', 6, 'precheck'), terminal('7', null, 'standard')],
  }
  await writeSnapshot(
    folder,
    emptyContent(AT, { forecasts: forecasts(), queues: [{ iata: 'JFK', kind: 'security', wait }] }),
  )
  expect((await loadSnapshot(folder))?.queue('JFK', 'security')).toMatchObject({
    average_wait_minutes: 12,
    basis: 'predicted',
    terminals: [
      { terminal: '4', wait_minutes: 30, basis: 'predicted', checkpoints: [{ lane: 'precheck', wait_minutes: 3 }] },
      { terminal: '5', wait_minutes: null, basis: 'measured', checkpoints: [{ lane: 'precheck', wait_minutes: 6 }] },
    ],
  })
})

test('does not use a forecast whose hours have passed', async () => {
  const folder = await temporaryFolder()
  const later = new Date(START + 5 * HOUR_MS).toISOString().replace('.000Z', 'Z')
  await writeSnapshot(folder, emptyContent(later, { forecasts: forecasts() }))
  expect((await loadSnapshot(folder))?.queue('JFK', 'security').average_wait_minutes).toBeNull()
})

test('distinguishes airports with listed delays, without delays and not covered by the FAA', async () => {
  const folder = await temporaryFolder()
  const stop = { ...emptyContent(AT).quiet, status: 'ground_stop' as const }
  await writeSnapshot(folder, emptyContent(AT, { delays: { JFK: stop } }))
  const snapshot = await loadSnapshot(folder)
  expect(snapshot?.delays('JFK').status).toBe('ground_stop')
  expect(snapshot?.delays('SEA')).toMatchObject({ supported: true, status: 'normal' })
  expect(snapshot?.delays('CDG')).toMatchObject({ supported: false, status: 'unknown', source: null })
})

test('rejects an altered file, and never makes an unfinished snapshot current', async () => {
  const folder = await temporaryFolder()
  expect(await loadSnapshot(folder)).toBeNull()
  const id = await writeSnapshot(folder, emptyContent(AT))
  await mkdir(join(folder, '20991231T000000Z.1.tmp'))
  expect((await loadSnapshot(folder))?.id).toBe(id)
  await appendFile(join(folder, id, 'facts.json'), ' ')
  await expect(loadSnapshot(folder)).rejects.toMatchObject({ code: 'SNAPSHOT_INVALID' })
})

test('a server starts from the newest sound snapshot when the current one or its pointer is damaged', async () => {
  const folder = await temporaryFolder()
  const older = await writeSnapshot(folder, emptyContent('2026-11-21T09:58:00Z'))
  const newest = await writeSnapshot(folder, emptyContent(AT))
  const served = async () => {
    const errors: unknown[] = []
    const watch = await watchSnapshots(folder, { onError: (error) => errors.push(error) })
    watch.stop()
    return { id: watch.current()?.id, errors: errors.length }
  }
  expect(await served()).toEqual({ id: newest, errors: 0 })
  await truncate(join(folder, newest, 'facts.json'), 10)
  expect(await served()).toEqual({ id: older, errors: 1 })
  await rm(join(folder, newest), { recursive: true })
  expect(await served()).toEqual({ id: older, errors: 1 })
  await writeFile(join(folder, 'CURRENT'), '\0\0\0')
  expect(await served()).toMatchObject({ id: older })
  await rm(join(folder, 'CURRENT'))
  expect(await served()).toEqual({ id: older, errors: 0 })
  await truncate(join(folder, older, 'facts.json'), 10)
  expect(await served()).toEqual({ id: undefined, errors: 1 })
})

test('a snapshot that is copied file by file, or of another release, is a fault until it can be read', async () => {
  const published = await temporaryFolder()
  const older = await writeSnapshot(published, emptyContent('2026-11-21T09:58:00Z'))
  const newest = await writeSnapshot(published, emptyContent(AT))
  const folder = await temporaryFolder()
  const copy = (...path: string[]) => copyFile(join(published, ...path), join(folder, ...path))
  const served = async (start: boolean) => {
    await cp(join(published, older), join(folder, older), { recursive: true })
    const watch = await watchSnapshots(folder, {}, 5)
    onTestFinished(watch.stop)
    expect([watch.current()?.id, watch.fault()?.code]).toEqual([older, start ? 'SNAPSHOT_INVALID' : undefined])
    return watch
  }
  const watch = await served(false)
  await mkdir(join(folder, newest))
  await copy('CURRENT')
  await copy(newest, 'manifest.json')
  await expect.poll(() => watch.fault()?.message).toContain(`cannot be read, and ${older} is still served`)
  expect([watch.current()?.id, watch.isGone()]).toEqual([older, false])
  const startedThen = await served(true)
  for (const name of await readdir(join(published, newest))) await copy(newest, name)
  for (const { current, fault } of [watch, startedThen]) {
    await expect.poll(() => current()?.id).toBe(newest)
    await expect.poll(fault).toBeNull()
  }
  const later = await writeSnapshot(folder, emptyContent('2026-11-21T10:02:00Z'))
  await expect.poll(() => watch.current()?.id).toBe(later)
  const manifest = join(folder, '20261121T100300Z', 'manifest.json')
  await cp(join(folder, later), join(folder, '20261121T100300Z'), { recursive: true })
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), format: 2 }))
  await writeFile(join(folder, 'CURRENT'), '20261121T100300Z')
  await expect.poll(() => watch.fault()?.message).toMatch(/manifest.json: format: .* of another release$/)
})

test('ages grow with the clock while nothing newer is published, and the forecast replaces expired waits', async () => {
  const folder = await temporaryFolder()
  const now = Date.parse(AT)
  const wait = measured(now + 90_000, 9)
  const long = new ForecastBuilder()
  long.addSeries(
    'JFK',
    '',
    START,
    long.addValues(Array.from({ length: 168 }, () => hours(12)[0]!)),
    long.addModel(card),
  )
  await writeSnapshot(
    folder,
    emptyContent(AT, { forecasts: long.build(), queues: [{ iata: 'JFK', kind: 'security', wait }] }),
  )
  const snapshot = await loadSnapshot(folder)
  const after = (minutes: number) => snapshot?.asOf(now + minutes * 60_000)
  expect(after(1.9)).toBe(snapshot)
  expect(after(3)?.queue('JFK', 'security').age_seconds).toBe(210)
  expect(after(20)?.queue('JFK', 'security')).toMatchObject({
    basis: 'measured',
    age_seconds: 1_230,
    freshness: 'recent',
  })
  expect(after(120)?.queue('JFK', 'security').freshness).toBe('stale')
  expect(after(360)?.queue('JFK', 'security')).toMatchObject({
    basis: 'predicted',
    average_wait_minutes: 12,
    observed_at: null,
  })
  expect(after(120)?.delays('SEA')).toMatchObject({ status: 'normal', freshness: 'stale' })
  expect(after(400)?.delays('SEA')).toMatchObject({ supported: true, status: 'unknown', freshness: null })
  expect(after(400)?.generated_at).toBe(AT)
})

test('each terminal and lane ages separately and is withdrawn when it has expired', async () => {
  const folder = await temporaryFolder()
  const now = Date.parse(AT)
  const observedAgo = (minutesAgo: number) => {
    const provenance = { basis: 'measured' as const, observed_at: isoUtc(now - minutesAgo * 60_000), source: 'jfk' }
    return { ...provenance, age_seconds: minutesAgo * 60, freshness: freshnessOf(minutesAgo * 60) }
  }
  const lane = (checkpoint: string, minutesAgo: number) => ({
    checkpoint,
    lane: 'standard' as const,
    wait_minutes: 9,
    range: null,
    open: true,
    ...UNKNOWN_STATUS,
    unavailable_reason: null,
    ...observedAgo(minutesAgo),
  })
  const terminal = (name: string, minutesAgo: number, checkpoints = [lane('Main', minutesAgo)]) => ({
    terminal: name,
    wait_minutes: 9,
    ...UNKNOWN_STATUS,
    ...observedAgo(minutesAgo),
    unavailable_reason: null,
    checkpoints,
  })
  const wait: QueueWait = {
    average_wait_minutes: 9,
    ...UNKNOWN_STATUS,
    unavailable_reason: null,
    ...observedAgo(2),
    terminals: [terminal('1', 2, [lane('Main', 2), lane('Old', 330)]), terminal('4', 58), terminal('5', 350)],
  }
  await writeSnapshot(folder, emptyContent(AT, { queues: [{ iata: 'JFK', kind: 'security', wait }] }))
  const snapshot = await loadSnapshot(folder)
  expect(snapshot?.queue('JFK', 'security')).toEqual(wait)
  const { terminals = [] } = snapshot?.asOf(now + 30 * 60_000).queue('JFK', 'security') ?? {}
  expect(terminals.map(({ terminal, age_seconds, freshness }) => [terminal, age_seconds, freshness])).toEqual([
    ['1', 32 * 60, 'recent'],
    ['4', 88 * 60, 'stale'],
  ])
  expect(terminals[0]?.checkpoints.map(({ checkpoint, age_seconds }) => [checkpoint, age_seconds])).toEqual([
    ['Main', 32 * 60],
  ])
})

test('an empty folder in the place of the pointer is replaced by the next publication', async () => {
  const folder = await temporaryFolder()
  await writeSnapshot(folder, emptyContent(AT))
  await rm(join(folder, 'CURRENT'))
  await mkdir(join(folder, 'CURRENT'))
  const id = await writeSnapshot(folder, emptyContent('2026-11-21T10:05:00Z'))
  expect((await loadSnapshot(folder))?.id).toBe(id)
})

test('while airlines are shut out an unobserved queue is closed and the curve stops, until people come for the first flight', () => {
  const start_ms = Date.parse('2026-11-27T04:00:00Z')
  const builder = new ForecastBuilder()
  const typical = { ...card, version: 'prior:x', basis: 'typical' as const }
  const values = builder.addValues(hours(...Array<number>(12).fill(5)))
  builder.addSeries('ASE', '', start_ms, values, builder.addModel(typical))
  const closure = {
    reason: null,
    start: '2026-11-20T06:00:00Z',
    end: '2026-11-30T13:30:00Z',
    closed_to_airlines: true,
    closed_hours_utc: '0600-1330',
    closed_hours_local: 'every night from 23:00 to 06:30',
    in_force: false,
  }
  const provenance = {
    basis: 'measured' as const,
    observed_at: '2026-11-27T04:00:00Z',
    age_seconds: 0,
    source: 'faa-nas-status',
    freshness: 'live' as const,
  }
  const delays = {
    ASE: {
      ...provenance,
      supported: true,
      status: 'normal' as const,
      unavailable_reason: null,
      programs: [],
      closures: [closure],
    },
  }
  const snapshot = snapshotReader('closed', {
    ...emptyContent('2026-11-27T04:00:00Z'),
    forecasts: builder.build(),
    delays,
  })
  const { open } = snapshot.forecast('ASE')!
  const UNKNOWN = 255
  // 06:00 to 12:00Z is closed; in the last hour and a half, and before and after, nothing is known.
  expect([...open]).toEqual([UNKNOWN, UNKNOWN, 0, 0, 0, 0, 0, 0, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN])
  const queueAt = (instant: string) => snapshot.asOf(Date.parse(instant)).queue('ASE', 'security')
  expect(queueAt('2026-11-27T05:30:00Z')).toMatchObject({ average_wait_minutes: 5, status: 'unknown' })
  expect(queueAt('2026-11-27T08:00:00Z')).toMatchObject({
    average_wait_minutes: null,
    status: 'closed',
    status_source: 'faa-nas-status',
    unavailable_reason: 'closed',
  })
})
