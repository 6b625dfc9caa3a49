import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../config/domain.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { refresh } from '../../pipeline/refresh.ts'
import { exportHistory } from '../../pipeline/simulator/history.ts'
import { predictAll } from '../../training/predict.ts'
import { trainAll } from '../../training/train-all.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Log } from '../runtime/environment.ts'
import { progress } from '../runtime/output.ts'
import { openPipeline, type Pipeline, sourcesOf } from '../runtime/pipeline.ts'

const HISTORY_DAYS = 90
const STEP_MINUTES = 30

/** Writes 90 days of the simulated world's security and immigration waits as CSV and imports them like an operator. Returns the rows. */
async function backfill(pipeline: Pipeline, folder: string, seed: number, now: number): Promise<number> {
  let landed = 0
  for (const kind of ['security', 'immigration'] as const) {
    const file = join(folder, `history-${kind}.csv`)
    const writing = progress(`Writing 90 days of ${kind}`)
    const out = createWriteStream(file)
    await exportHistory(
      {
        seed,
        from: now - HISTORY_DAYS * DAY_MS,
        to: now,
        step_minutes: STEP_MINUTES,
        kind,
        onProgress: (done) => writing.update(done, 1),
      },
      out,
    )
    writing.end()
    const importing = progress(`Importing ${kind}`)
    const report = await importCsv(pipeline.warehouse, file, { kind, source: 'import-simulated' })
    importing.end(`${report.new_rows} rows`)
    if (report.bad_rows > 0)
      throw new Error(`the simulated world wrote ${report.bad_rows} bad rows: ${JSON.stringify(report.bad[0])}`)
    landed += report.new_rows
    await rm(file)
  }
  return landed
}

/** Collects every active source of the simulated world once, through the real transport. */
async function collectAll(pipeline: Pipeline, settings: Settings, log: Log): Promise<void> {
  const bar = progress('Collecting from every source')
  const sources = sourcesOf(settings).filter((source) => source.active)
  const outcomes = await collectSources(sources, pipeline.collect, (done, total, id) => bar.update(done, total, id))
  for (const { source, error } of outcomes)
    if (error) log.warn({ source, code: error.code, error: error.message }, 'source failed')
  bar.end(`${outcomes.reduce((sum, { new_rows }) => sum + new_rows, 0)} rows`)
}

/** Prepares the demo's data: back-fill → collect → roll up → train and backtest → predict → publish. */
export async function prepareDemo(
  settings: Settings,
  seed: number,
  log: Log,
): Promise<{ snapshot: string; rows: number }> {
  const pipeline = await openPipeline(settings, log)
  const { warehouse } = pipeline
  try {
    const { scratch, models: modelsDir } = dataPaths(settings.data_dir)
    await mkdir(scratch, { recursive: true })
    const rows = await backfill(pipeline, scratch, seed, Date.now())
    await collectAll(pipeline, settings, log)
    const rolling = progress('Rolling up hours')
    await warehouse.maintain((write) =>
      rollUp(write, { onProgress: (done, total) => rolling.update(done, total, 'days') }),
    )
    rolling.end()
    const training = progress('Training and backtesting')
    const { rows: trained, untrained } = await trainAll(warehouse, {
      now: Date.now(),
      modelsDir,
      onProgress: (done, total) => training.update(done, total),
    })
    const served = trained.filter((row) => row.served === 'model').length
    training.end(`${trained.length} airports, ${served} models beat their baseline`)
    for (const { iata, reason } of untrained) log.info({ iata, reason }, 'not trained')
    const publishing = progress('Forecasting and publishing')
    const predict = (now: number) => predictAll(warehouse, { now, modelsDir })
    const report = await refresh(
      { warehouse, now: Date.now, simulated: true, sources: sourcesOf(settings), predict },
      { predict: true },
    )
    publishing.end(report.snapshot)
    return { snapshot: report.snapshot, rows }
  } finally {
    await pipeline.close()
  }
}
