import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueueKind } from '../../config/vocabulary.ts'
import { sha256Of } from '../../warehouse/storage/file-identity.ts'
import { CARD_FILE, NET_FILES, SUBJECT_FOLDER, VERSION_FOLDER } from '../../warehouse/storage/model-files.ts'
import { readOrdinaryFile, readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import { ArtifactCard, CARD_FORMAT, subjectFolder } from './artifact-card.ts'

/** The files of artifacts, without the library that runs their nets. */

type NetFiles = Record<(typeof NET_FILES)[number], Buffer>

async function readNetFiles(folder: string): Promise<NetFiles> {
  const contents = NET_FILES.map(async (name) => [name, await readOrdinaryFile(join(folder, name))] as const)
  return Object.fromEntries(await Promise.all(contents)) as NetFiles
}

/** SHA-256 of the net's files. */
export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const files = await readNetFiles(folder)
  return Object.fromEntries(NET_FILES.map((name) => [name, sha256Of(files[name])]))
}

/** The model of a release whose nets had other inputs. */
export class OtherFormatError extends Error {
  constructor(format: number) {
    super(`was trained by a release with other inputs (format ${format} in place of ${CARD_FORMAT}); train again`)
  }
}

/**
 * The card of an artifact and the files of its net, as they were saved together: what is used are the bytes that were checked. A
 * training may replace or remove the folder in between, so that a first failure is no proof.
 * @throws Error that says what is wrong
 */
export async function readSoundFiles(folder: string): Promise<{ card: ArtifactCard; files: NetFiles }> {
  return readOnce(folder).catch(() => readOnce(folder))
}

async function readOnce(folder: string): Promise<{ card: ArtifactCard; files: NetFiles }> {
  const written: unknown = JSON.parse(await readOrdinaryText(join(folder, CARD_FILE)))
  const { format } = (written ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format !== CARD_FORMAT) throw new OtherFormatError(format)
  const card = ArtifactCard.parse(written)
  const files = await readNetFiles(folder)
  for (const name of NET_FILES)
    if (card.files && card.files[name] !== sha256Of(files[name]))
      throw new Error(`${name} is not the file that was saved`)
  return { card, files }
}

/** The card of an artifact whose files are those that were saved. @throws Error that says what is wrong */
export const readSoundCard = async (folder: string): Promise<ArtifactCard> => (await readSoundFiles(folder)).card

/** Folders of a subject's artifacts (`JFK` or `ZRH/entry`), oldest first; empty when it was never trained. */
export async function listArtifacts(modelsDir: string, kind: QueueKind, subject: string): Promise<string[]> {
  const folder = join(modelsDir, kind, subjectFolder(subject))
  const names = await readdir(folder).catch(() => [])
  // A folder name ends in the cutoff, so names sort by time.
  return names
    .filter((name) => VERSION_FOLDER.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** Names of the subjects that have an artifact, sorted. */
export async function trainedSubjects(modelsDir: string, kind: QueueKind): Promise<string[]> {
  const folders = (await readdir(join(modelsDir, kind)).catch(() => [])).sort()
  return folders.flatMap((name) => {
    const [, iata, direction] = SUBJECT_FOLDER.exec(name) ?? []
    if (iata === undefined) return []
    return [direction === undefined ? iata : `${iata}/${direction}`]
  })
}
