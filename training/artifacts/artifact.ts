import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { io } from '@tensorflow/tfjs-core'
import * as layers from '@tensorflow/tfjs-layers'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import type { QueueKind } from '../../config/vocabulary.ts'
import { makeFolder, syncPath } from '../../warehouse/storage/files.ts'
import {
  ARTIFACT_FILES,
  CARD_FILE,
  EXAMPLES_FILE,
  type NET_FILES,
  RECORD_FILE,
  replacedVersion,
  SPECIFICATION_FILE,
  versionDraft,
} from '../../warehouse/storage/model-files.ts'
import { readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import { removeEmptyFolder } from '../../warehouse/storage/own-files.ts'
import { type Backtest, backtests } from '../../warehouse/tables/forecasts.ts'
import { type BacktestScoreRow, backtestScores } from '../../warehouse/tables/scores.ts'
import { subjectName } from '../history/hourly-series.ts'
import type { QuantileNet } from '../models/quantile-net.ts'
import { startBackend } from '../models/tensorflow-backend.ts'
import { ArtifactCard, sameFeatures, subjectFolder, versionFolder } from './artifact-card.ts'
import { digestsOf, listArtifacts, readSoundFiles } from './artifact-files.ts'
import type { ExampleRow } from './example-rows.ts'
import { specificationOf } from './specification.ts'

export { listArtifacts, trainedSubjects } from './artifact-files.ts'

/** A trained airport: its net and the card that describes it. */
export interface Artifact {
  card: ArtifactCard
  net: QuantileNet
  /** Example forecasts, which are saved beside the net for others. */
  examples?: readonly ExampleRow[]
  /** Rows that land when the model serves; saved beside the net, so that it can be promoted later. */
  record?: TrainingRecord
}

/** The rows in the tables about a model that serves. */
export interface TrainingRecord {
  row: Backtest
  /** The backtest of the airport as sums by day. */
  scores: BacktestScoreRow[]
}

/** Writes the TensorFlow.js layers format into a folder: model.json and weights.bin. */
function folderStore(folder: string): io.IOHandler {
  return {
    save: async ({ modelTopology, weightSpecs, weightData, format, generatedBy }) => {
      const manifest = [{ paths: ['weights.bin'], weights: weightSpecs }]
      const model = { modelTopology, format, generatedBy, weightsManifest: manifest }
      const bytes = Array.isArray(weightData)
        ? Buffer.concat(weightData.map((buffer) => Buffer.from(buffer)))
        : Buffer.from(weightData!)
      await writeFile(join(folder, 'model.json'), JSON.stringify(model))
      await writeFile(join(folder, 'weights.bin'), bytes)
      return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: 'JSON' } }
    },
  }
}

/** Reads the same format from the content of its files. */
function fileStore({ 'model.json': topology, 'weights.bin': weights }: Record<(typeof NET_FILES)[number], Buffer>) {
  return {
    load: async () => {
      const model = JSON.parse(topology.toString('utf8'))
      return {
        modelTopology: model.modelTopology,
        weightSpecs: model.weightsManifest[0].weights,
        weightData: new Uint8Array(weights).buffer,
      }
    },
  }
}

/**
 * Saves an artifact as `<models>/<kind>/<iata>/<version>/`, whole or not at all, and returns the folder. A version that is there and
 * sound is never replaced; one that is damaged is.
 */
export async function saveArtifact(modelsDir: string, { card, net, examples = [], record }: Artifact): Promise<string> {
  const parent = join(modelsDir, card.kind, subjectFolder(subjectName(card)))
  const folder = join(parent, versionFolder(card))
  if (await isSound(folder)) return folder
  const draft = join(parent, versionDraft(versionFolder(card)))
  await rm(draft, { recursive: true, force: true })
  await makeFolder(dirname(modelsDir), ...relative(dirname(modelsDir), draft).split(sep))
  await net.network.save(folderStore(draft))
  const withDigests: ArtifactCard = { ...card, files: await digestsOf(draft) }
  await writeFile(join(draft, CARD_FILE), `${JSON.stringify(ArtifactCard.parse(withDigests), null, 2)}\n`)
  const specification = specificationOf(card)
  await writeFile(join(draft, SPECIFICATION_FILE), `${JSON.stringify(specification, null, 2)}\n`)
  await writeFile(join(draft, EXAMPLES_FILE), `${JSON.stringify({ format: 3, rows: examples })}\n`)
  if (record) await writeFile(join(draft, RECORD_FILE), `${JSON.stringify(record)}\n`)
  for (const name of await readdir(draft)) await syncPath(join(draft, name))
  await replaceFolder(draft, folder, join(parent, replacedVersion(versionFolder(card))))
  await syncPath(parent)
  return folder
}

const isSound = (folder: string) =>
  readSoundFiles(folder).then(
    () => true,
    () => false,
  )

/** Records of earlier releases hold more. */
const Record = z.object({
  row: backtests.row,
  scores: z.array(backtestScores.row),
})

/**
 * The rows that an artifact lands when it serves.
 * @throws HoldshortError MODEL_INVALID when it was saved without them or they are damaged
 */
export async function readTrainingRecord(folder: string): Promise<TrainingRecord> {
  try {
    return Record.parse(JSON.parse(await readOrdinaryText(join(folder, RECORD_FILE))))
  } catch (cause) {
    throw new HoldshortError('MODEL_INVALID', `${join(folder, RECORD_FILE)}: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Gives a finished draft its name. What has the name now is moved out of the way as a whole and deleted only then, so that neither a
 * reader nor a kill finds half of it; what somebody else put there stays there.
 */
async function replaceFolder(draft: string, folder: string, replaced: string): Promise<void> {
  await rm(replaced, { recursive: true, force: true })
  const wasThere = await rename(folder, replaced).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
  await rename(draft, folder)
  if (!wasThere) return
  for (const name of await readdir(replaced))
    if (!ARTIFACT_FILES.includes(name)) await rename(join(replaced, name), join(folder, name))
  await removeArtifact(replaced)
}

/**
 * Loads an artifact from its folder.
 * @throws HoldshortError MODEL_INVALID when a file is missing, broken or made for other inputs.
 */
export async function loadArtifact(folder: string): Promise<Artifact> {
  try {
    await startBackend()
    const { card, files } = await readSoundFiles(folder)
    if (!sameFeatures(card)) throw new Error('its inputs differ from those of this release; train again')
    const network = await layers.loadLayersModel(fileStore(files))
    const normalisation = {
      mean: card.features.map(({ mean }) => mean),
      std: card.features.map(({ std }) => std),
      used: card.features.map(({ used }) => used ?? true),
    }
    return { card, net: { network, normalisation } }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HoldshortError('MODEL_INVALID', `${folder}: ${reason}`, { cause })
  }
}

/** Removes all artifacts of a subject but those of the retained folders. */
export async function pruneArtifacts(
  modelsDir: string,
  kind: QueueKind,
  subject: string,
  retained: ReadonlySet<string>,
): Promise<void> {
  for (const folder of await listArtifacts(modelsDir, kind, subject))
    if (!retained.has(folder)) await removeArtifact(folder)
}

/** Deletes the files of an artifact, and its folder unless somebody else put something into it. */
async function removeArtifact(folder: string): Promise<void> {
  for (const name of ARTIFACT_FILES) await rm(join(folder, name), { force: true })
  await removeEmptyFolder(folder)
}
