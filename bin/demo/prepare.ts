import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { countText } from '../../config/count-text.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { exportHistory } from '../../pipeline/simulator/history.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { sourcesOf } from '../runtime/installed-sources.ts'
import type { Log } from '../runtime/log.ts'
import { progress } from '../runtime/output.ts'
import { openPipeline, type Pipeline } from '../runtime/pipeline.ts'

const HISTORY_DAYS = 90
/** Minutes between two readings of a queue in the newest days, and before them. */
const STEP_MINUTES = { newest: 30, older: 60 }
/** Opening hours are learned from these. */
const NEWEST_DAYS = 28
/** Days of history before the first snapshot; the others are filled in while the demo is serving. */
const FIRST_DAYS = 8
/** With this many days of readings, the history of a kept folder is complete. */
const COMPLETE_DAYS = 80

/**
 * Sources that are collected before the first snapshot: quick ones in every part of the world that need no browser, so that at
 * any hour some queues are busy. The pipeline collects all others while the demo is serving.
 */
const FIRST_SOURCES = [
  'panynj-graphql',
  'sea-cwt',
  'den-flyfruition',
  'faa-nas-status',
  'lhr-pihub',
  'ams-schiphol',
  'doh-xovis',
  'del-dial',
  'icn-keyless',
]

/** A part of the simulated world's history. */
interface HistoryPart {
  kind: 'security' | 'immigration'
  /** Epoch milliseconds. */
  from: number
  to: number
  step_minutes: number
}

/** Writes history of the simulated world as CSV and imports it like an operator; it is landed once however often it is imported. */
async function backfill(
  warehouse: Warehouse,
  { data_dir }: Settings,
  seed: number,
  days: number,
  parts: readonly HistoryPart[],
): Promise<void> {
  const { scratch } = dataPaths(data_dir)
  await mkdir(scratch, { recursive: true })
  let landed = 0
  const bar = progress(`Back-filling ${days} days of waits`)
  for (const [done, part] of parts.entries()) {
    const file = join(scratch, `history-${part.kind}.csv`)
    const out = createWriteStream(file)
    const onProgress = (share: number) => bar.update(done + share / 2, parts.length, part.kind)
    await exportHistory({ seed, onProgress, ...part }, out)
    const report = await importCsv(warehouse, file, { kind: part.kind, source: 'import-simulated' })
    bar.update(done + 1, parts.length, part.kind)
    if (report.bad_rows > 0)
      throw new Error(`the simulated world wrote ${report.bad_rows} bad rows: ${JSON.stringify(report.bad[0])}`)
    landed += report.new_rows
    await rm(file)
  }
  bar.end(countText(landed, 'row'))
}

/** Collects a few sources of the simulated world once, through the real transport. Some fail, as in live operation. */
async function collectFirst(pipeline: Pipeline, settings: Settings, log: Log): Promise<void> {
  const bar = progress('Collecting the first sources')
  const active = new Set(sourcesOf(settings).filter((source) => source.active))
  const sources = FIRST_SOURCES.map(sourceById).filter((source) => active.has(source))
  const outcomes = await collectSources(sources, pipeline.collect, (done, total, id) => bar.update(done, total, id))
  const failed = outcomes.filter(({ error }) => error)
  for (const { source, error } of failed)
    log.info({ source, code: error?.code, error: error?.message }, 'source failed, as some do in live operation')
  const rows = outcomes.reduce((sum, { new_rows }) => sum + (new_rows ?? 0), 0)
  bar.end(
    `${countText(rows, 'row')}${failed.length > 0 ? `, ${failed.length} of ${sources.length} failed (simulated)` : ''}`,
  )
}

/**
 * Prepares what the demo serves first: the newest days of history, a few live sources and typical forecasts. The rest of the
 * history follows (see `completeHistory`); then the pipeline collects everything, trains and forecasts, all while the demo is serving.
 */
export async function prepareDemo(settings: Settings, seed: number, log: Log): Promise<void> {
  await using pipeline = await openPipeline(settings, log)
  const { warehouse } = pipeline
  const now = Date.now()
  const from = now - FIRST_DAYS * DAY_MS
  await backfill(warehouse, settings, seed, FIRST_DAYS, [
    { kind: 'security', from, to: now, step_minutes: STEP_MINUTES.newest },
  ])
  await collectFirst(pipeline, settings, log)
  const publishing = progress('Publishing the first snapshot')
  await rollUp(warehouse, { newestDays: FIRST_DAYS })
  const snapshot = await publish(warehouse, { now: Date.now(), simulated: true, sources: sourcesOf(settings) })
  publishing.end(snapshot)
}

/** Fills in the rest of the history, unless a kept folder has it already. */
export async function completeHistory(settings: Settings, seed: number): Promise<void> {
  await using warehouse = await openWarehouse(settings.data_dir)
  if ((await warehouse.dayChanges(readings)).length >= COMPLETE_DAYS) return
  const now = Date.now()
  const from = now - HISTORY_DAYS * DAY_MS
  const newest = now - NEWEST_DAYS * DAY_MS
  await backfill(warehouse, settings, seed, HISTORY_DAYS, [
    { kind: 'security', from: newest, to: now - FIRST_DAYS * DAY_MS, step_minutes: STEP_MINUTES.newest },
    { kind: 'security', from, to: newest, step_minutes: STEP_MINUTES.older },
    { kind: 'immigration', from, to: now, step_minutes: STEP_MINUTES.older },
  ])
}
