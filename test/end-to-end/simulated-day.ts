import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { refresh } from '../../pipeline/refresh.ts'
import { exportHistory } from '../../pipeline/simulator/history.ts'
import type { QueueModel } from '../../pipeline/simulator/model/queues.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { predictAll } from '../../training/predict.ts'
import { readTrainingSettings } from '../../training/settings/training-settings.ts'
import { trainAll } from '../../training/train-all.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openTestPipeline, simulatedSettings, testTransport } from '../pipeline/test-pipeline.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The airports with a history and the sources that the test needs; all of them would only take time. */
const AIRPORTS = ['JFK', 'ZRH']
const SOURCES = ['panynj-graphql', 'zrh-passport', 'faa-airport-events', 'faa-enroute-events', 'awc-metar', 'awc-taf']
/** The shortest history that a model can be trained on. */
const HISTORY_DAYS = 22

/** A simulated world at one instant, and the snapshot that the real pipeline made from it. */
export interface SimulatedDay {
  world: QueueModel
  snapshot: Snapshot
}

/** Runs back-fill, collection, rollup, training, forecast and publication on a simulated world at an instant (epoch ms). */
export async function simulatedDay(seed: number, now: number): Promise<SimulatedDay> {
  const clock = () => now
  const running = await startSimulatedWorld({ seed, now: clock })
  onTestFinished(() => running.close())
  const folder = await temporaryFolder()
  const pipeline = await openTestPipeline(folder, testTransport(running.url, { now: clock }), clock)
  const { warehouse, context } = pipeline
  for (const kind of ['security', 'immigration'] as const) {
    const file = join(folder, `${kind}.csv`)
    await writeFile(file, await historyOf(seed, kind, now))
    await importCsv(warehouse, file, { kind, source: 'import-simulated', now })
  }
  const sources = SOURCES.map(sourceById)
  const outcomes = await collectSources(sources, context)
  const failed = outcomes.find(({ error }) => error !== null)
  if (failed) throw new Error(`${failed.source}: ${failed.error?.message}`)
  await rollUp(warehouse)
  const { models: modelsDir } = dataPaths(simulatedSettings(folder, running.url).data_dir)
  await trainAll(warehouse, {
    now,
    modelsDir,
    settings: readTrainingSettings(projectFile('config', 'training', 'demo.json')),
  })
  const predict = (now: number) => predictAll(warehouse, { now, modelsDir })
  await refresh({ warehouse, now: clock, simulated: true, sources, predict }, { predict: 'always' })
  await pipeline.close()
  const snapshot = await loadSnapshot(`${folder}/snapshots`)
  if (!snapshot) throw new Error('no snapshot was published')
  return { world: running.queues, snapshot }
}

async function historyOf(seed: number, kind: 'security' | 'immigration', now: number): Promise<string> {
  const out = new PassThrough()
  const [csv] = await Promise.all([
    text(out),
    exportHistory({ seed, from: now - HISTORY_DAYS * DAY_MS, to: now, step_minutes: 30, kind }, out),
  ])
  const [head = '', ...lines] = csv.split('\n')
  return [head, ...lines.filter((line) => AIRPORTS.includes(line.slice(0, 3))), ''].join('\n')
}
