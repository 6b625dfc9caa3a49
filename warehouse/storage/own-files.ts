import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { allTables } from '../tables/index.ts'
import { CATALOGUE_FILE } from './analyst-views.ts'
import { draftOf, engineDraftOf } from './draft-names.ts'
import {
  ARTIFACT_FILES,
  REGISTRY_FILE,
  SUBJECT_FOLDER,
  TRAINING_FILE,
  TRAININGS_FOLDER,
  VERSION_DRAFT,
  VERSION_FOLDER,
} from './model-files.ts'
import { CAPTURE_FILE } from './raw-captures.ts'

/** One level of a path: the exact name, or a pattern. A group `pid` is the process that writes it. */
type Level = string | RegExp

/** A path that this program writes, relative to the data folder. */
interface OwnPath {
  levels: readonly Level[]
  /** Whether it is a leftover of a killed process. */
  isHalfWritten: boolean
  /** A folder that is this program's with everything in it. */
  isWholeFolder: boolean
}

const finished = (...levels: Level[]): OwnPath => ({ levels, isHalfWritten: false, isWholeFolder: false })
const halfWritten = (...levels: Level[]): OwnPath => ({ levels, isHalfWritten: true, isWholeFolder: false })

/** A file that is written under the name of a draft first. */
const drafted = (...levels: [...Level[], RegExp]): OwnPath[] => {
  const name = levels.at(-1) as RegExp
  return [finished(...levels), halfWritten(...levels.slice(0, -1), draftOf(name))]
}

const SNAPSHOT = /^\d{8}T\d{6}Z$/
const SNAPSHOT_FILE =
  /^((manifest|facts|accuracy|forecasts|history|opening-hours)\.json|(forecasts|history)\.arrow|maps\.txt)$/
const oneOf = (names: readonly string[]) => new RegExp(`^(${names.join('|').replaceAll('.', '\\.')})$`)
const MODEL = ['models', /^[a-z_]+$/, SUBJECT_FOLDER]
const MODEL_FILE = oneOf(ARTIFACT_FILES)
const REGISTRY = oneOf([REGISTRY_FILE])
const TRAININGS = ['models', TRAININGS_FOLDER, /^[a-z_]+$/]
const CAPTURES = ['raw', /^source=./, /^date=\d{4}-\d\d-\d\d$/]
/** A lock between processes, and who holds it. */
const LOCK = /^[0-9a-z-]+\.(lock|json)$/

const WAREHOUSE_FILE = /^(warehouse|copy)\.duckdb(\.wal)?$/
const WAREHOUSE_MARK = /^mark\.json$/
/** A file that `repair` set aside, and a copy that the next one could not explain. */
const KEPT_FILE = /^(damaged|copy)-\d{8}T\d{6}Z(-\d+)?\.(duckdb(\.wal)?|json)$/

const EXPORT_STATE = /^\.holdshort-export\.json$/

/** The open data (see `warehouse/export`). What its staging folder holds is needed to finish an export, so no sweep deletes it. */
const EXPORT_PATHS: readonly OwnPath[] = [
  ...drafted('open-data', EXPORT_STATE),
  finished('open-data', /^(README\.md|(manifest|datapackage|airports\.schema)\.json)$/),
  finished('open-data', 'data', 'v1', 'airports', /^[A-Z]{3}(-simulated)?\.csv$/),
  ...allTables.map(({ name }) =>
    finished('open-data', 'data', 'v1', name, /^year=\d{4}$/, /^month=\d\d$/, new RegExp(`^${name}-.*\\.parquet$`)),
  ),
  { levels: ['open-data', '.holdshort-export'], isHalfWritten: false, isWholeFolder: true },
]

/** Everything that this program writes into a data folder. All other files belong to somebody else. */
const OWN_PATHS: readonly OwnPath[] = [
  ...drafted(/^world\.json$/),
  ...drafted(/^store\.json$/),
  finished('key-pepper'),
  halfWritten(/^key-pepper\.(?<pid>\d+)$/),
  finished('live.sock'),
  finished(/^state\.sqlite(-wal|-shm|-journal|-keys-changed|-marker|-reserve)?$/),
  halfWritten(draftOf(/^state\.sqlite-(marker|reserve)$/)),
  ...drafted(/^(restore|repair)-unfinished\.json$/),
  finished('warehouse', WAREHOUSE_FILE),
  halfWritten('warehouse', engineDraftOf(/^(warehouse|copy)\.duckdb$/)),
  ...drafted('warehouse', WAREHOUSE_MARK),
  ...drafted('warehouse', KEPT_FILE),
  ...drafted(...CAPTURES, CAPTURE_FILE),
  ...drafted('models', REGISTRY),
  ...drafted(...TRAININGS, TRAINING_FILE),
  finished(...MODEL, VERSION_FOLDER, MODEL_FILE),
  halfWritten(...MODEL, VERSION_DRAFT, MODEL_FILE),
  ...drafted('snapshots', /^CURRENT$/),
  finished('snapshots', SNAPSHOT, SNAPSHOT_FILE),
  halfWritten('snapshots', draftOf(SNAPSHOT), SNAPSHOT_FILE),
  finished('locks', LOCK),
  ...EXPORT_PATHS,
  finished('scratch', CATALOGUE_FILE),
  { levels: ['scratch', /^(?<pid>\d+)$/], isHalfWritten: true, isWholeFolder: true },
]

export interface OwnFile {
  /** Relative to the data folder, with `/`. */
  path: string
  isFolder: boolean
  isHalfWritten: boolean
  /** The process that writes it, where its path says so. */
  pid: number | null
}

interface Survey {
  files: OwnFile[]
  /** Folders on the way to own files, outermost first. */
  folders: OwnFile[]
  /** Files and folders of somebody else, without what is in them. */
  foreign: string[]
}

/** Paths that are still possible below a folder, and the process named on the way to it. */
interface Branch {
  paths: readonly OwnPath[]
  depth: number
  pid: number | null
}

function descend({ paths, depth, pid }: Branch, name: string): Branch {
  let writer = pid
  const next = paths.filter(({ levels }) => {
    const level = levels[depth]
    if (level === undefined || typeof level === 'string') return level === name
    const match = level.exec(name)
    if (match?.groups?.['pid']) writer = Number(match.groups['pid'])
    return match !== null
  })
  return { paths: next, depth: depth + 1, pid: writer }
}

const endsAt = ({ paths, depth }: Branch) => paths.find(({ levels }) => levels.length === depth)

/** The files below a path of the data folder, by owner. */
export async function surveyFolder(dataDir: string, below = '', except: readonly string[] = []): Promise<Survey> {
  const survey: Survey = { files: [], folders: [], foreign: [] }
  const look = async (path: string, branch: Branch) => {
    const entries = await readdir(join(dataDir, path), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      if (except.includes(inner)) continue
      const next = descend(branch, entry.name)
      const end = endsAt(next)
      const isFolder = entry.isDirectory()
      const { pid } = next
      if (end && end.isWholeFolder === isFolder)
        survey.files.push({ path: inner, isFolder, isHalfWritten: end.isHalfWritten, pid })
      else if (isFolder && next.paths.some(({ levels }) => levels.length > next.depth)) {
        const isHalfWritten = next.paths.every((own) => own.isHalfWritten)
        survey.folders.push({ path: inner, isFolder, isHalfWritten, pid })
        await look(inner, next)
      } else survey.foreign.push(inner)
    }
  }
  const root: Branch = { paths: OWN_PATHS, depth: 0, pid: null }
  await look(below, below === '' ? root : below.split('/').reduce(descend, root))
  return survey
}

/** Bytes of the files that this program wrote below a path of the data folder. */
export async function ownBytes(dataDir: string, below: string): Promise<number> {
  const { files } = await surveyFolder(dataDir, below)
  const sizes = await Promise.all(
    files.map(async ({ path }) => (await stat(join(dataDir, path)).catch(() => ({ size: 0 }))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Deletes a folder if nothing is in it. */
export async function removeEmptyFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/**
 * Deletes what this program wrote at a path of the data folder (by default everywhere except in `except`), and the folders
 * that are empty then. Returns the paths that it left because somebody else put them there.
 */
export async function removeOwnFiles(dataDir: string, below = '', except: readonly string[] = []): Promise<string[]> {
  const { files, folders, foreign } = await surveyFolder(dataDir, below, except)
  for (const { path, isFolder } of files) await rm(join(dataDir, path), { recursive: isFolder, force: true })
  const inward = [...(below === '' ? [] : [below]), ...folders.map(({ path }) => path)]
  for (const path of inward.toReversed()) await removeEmptyFolder(join(dataDir, path))
  return foreign
}

/** The locks stay, because the caller holds one. */
export const clearDataFolder = (dataDir: string): Promise<string[]> => removeOwnFiles(dataDir, '', ['locks'])
