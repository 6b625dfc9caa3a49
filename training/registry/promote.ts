import { basename } from 'node:path'
import { UsageError } from '../../config/errors.ts'
import type { UtcInstant } from '../../config/vocabulary.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { backtests } from '../../warehouse/tables/forecasts.ts'
import { backtestScores } from '../../warehouse/tables/scores.ts'
import { readTrainingRecord } from '../artifacts/artifact.ts'
import { listArtifacts, readSoundCard } from '../artifacts/artifact-files.ts'
import { type Champion, readRegistry, withChampions, writeRegistry } from './registry.ts'
import { saveTraining, type Training } from './trainings.ts'

export interface Promotion {
  modelsDir: string
  training: Training
  /** Only this airport's model, as `JFK` or `ZRH/entry`; null: all of the training. */
  subject: string | null
  promoted_at: UtcInstant
  by: string
}

/**
 * Makes the models of a training champions without training again, and lands what the tables say of them. Returns the new champions.
 * @throws UsageError when the training has no such model or its model was deleted; nothing is changed then
 */
export async function promote(
  warehouse: Warehouse,
  { modelsDir, training, subject, promoted_at, by }: Promotion,
): Promise<Champion[]> {
  const { kind, name } = training
  const airports = training.airports.filter((airport) => subject === null || airport.subject === subject)
  if (airports.length === 0) throw new UsageError(`training: ${name} has no model${subject ? ` of ${subject}` : ''}`)
  const models = await Promise.all(
    airports.map(async ({ subject: ownSubject, version }) => {
      const folder = (await listArtifacts(modelsDir, kind, ownSubject)).find((path) => basename(path) === version)
      if (folder === undefined)
        throw new UsageError(
          `training: the model ${version} of ${name} was deleted; models of named trainings are kept`,
        )
      await readSoundCard(folder)
      const champion: Champion = { kind, subject: ownSubject, version, run: name, at: promoted_at, by }
      return { champion, record: await readTrainingRecord(folder) }
    }),
  )
  const champions = models.map(({ champion }) => champion)
  const registry = withChampions(await readRegistry(modelsDir), champions)
  const trained_at = promoted_at
  await warehouse.land(
    backtests,
    models.map(({ record }) => ({ ...record.row, trained_at })),
  )
  await warehouse.land(
    backtestScores,
    models.flatMap(({ record }) => record.scores.map((row) => ({ ...row, trained_at }))),
  )
  await writeRegistry(modelsDir, registry)
  const serves = new Set(champions.map(({ version }) => version))
  await saveTraining(modelsDir, {
    ...training,
    airports: training.airports.map((airport) => (serves.has(airport.version) ? { ...airport, held: null } : airport)),
  })
  return champions
}
