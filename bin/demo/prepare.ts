import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../config/domain.ts'
import type { Settings } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { exportHistory } from '../../pipeline/simulator/history.ts'
import { publish } from '../../warehouse/serving/publish.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Log } from '../runtime/environment.ts'
import { progress } from '../runtime/output.ts'
import { openPipeline, type Pipeline, sourcesOf } from '../runtime/pipeline.ts'

const HISTORY_DAYS = 90
const STEP_MINUTES = 30
/** Days that are rolled up before the first snapshot; the pipeline rolls up the others while the demo is serving. */
const FIRST_DAYS = 8

/**
 * Sources that are collected before the first snapshot: quick ones in every part of the world, so that at any hour some
 * queues are busy. The pipeline collects all others while the demo is serving.
 */
const FIRST_SOURCES = [
  'panynj-graphql',
  'sea-cwt',
  'mobi-mco',
  'mobi-dfw',
  'den-flyfruition',
  'faa-nas-status',
  'lhr-pihub',
  'ams-schiphol',
  'doh-xovis',
  'del-dial',
  'icn-keyless',
]

/** Writes 90 days of the simulated world's security and immigration waits as CSV and imports them like an operator. Returns the rows. */
async function backfill(pipeline: Pipeline, folder: string, seed: number, now: number): Promise<number> {
  let landed = 0
  const bar = progress(`Back-filling ${HISTORY_DAYS} days of waits`)
  for (const [done, kind] of (['security', 'immigration'] as const).entries()) {
    const file = join(folder, `history-${kind}.csv`)
    const out = createWriteStream(file)
    await exportHistory(
      {
        seed,
        from: now - HISTORY_DAYS * DAY_MS,
        to: now,
        step_minutes: STEP_MINUTES,
        kind,
        onProgress: (share) => bar.update(done + share / 2, 2, kind),
      },
      out,
    )
    const report = await importCsv(pipeline.warehouse, file, { kind, source: 'import-simulated' })
    bar.update(done + 1, 2, kind)
    if (report.bad_rows > 0)
      throw new Error(`the simulated world wrote ${report.bad_rows} bad rows: ${JSON.stringify(report.bad[0])}`)
    landed += report.new_rows
    await rm(file)
  }
  bar.end(`${landed} rows`)
  return landed
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
  const rows = outcomes.reduce((sum, { new_rows }) => sum + new_rows, 0)
  bar.end(`${rows} rows${failed.length > 0 ? `, ${failed.length} of ${sources.length} failed (simulated)` : ''}`)
}

/**
 * Prepares what the demo serves first: back-filled history, a few live sources and typical forecasts. The pipeline then
 * collects everything, trains and forecasts while the demo is serving.
 */
export async function prepareDemo(settings: Settings, seed: number, log: Log): Promise<void> {
  const pipeline = await openPipeline(settings, log)
  const { warehouse } = pipeline
  try {
    await backfill(pipeline, warehouse.context.scratchDir, seed, Date.now())
    await collectFirst(pipeline, settings, log)
    const publishing = progress('Publishing the first snapshot')
    await warehouse.maintain((write) => rollUp(write, { newestDays: FIRST_DAYS }))
    const snapshot = await publish(warehouse, { now: Date.now(), simulated: true, sources: sourcesOf(settings) })
    publishing.end(snapshot)
  } finally {
    await pipeline.close()
  }
}
