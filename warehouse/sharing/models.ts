import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { sha256Of } from '../storage/file-identity.ts'
import { makeFolder, writeWhole } from '../storage/files.ts'
import { fetchContent, forEachFew, publishFiles, readPublished, type Sharing } from './published-files.ts'

const NAME = 'models'

/** The files below the folder of the models, with `/`, in order; not the drafts of other processes. */
async function modelFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith('.tmp'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** A value that changes with every file of the models. */
async function fingerprint(folder: string, paths: readonly string[]): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(join(folder, path)).catch(() => null)))
  return JSON.stringify(
    paths.map((path, index) => [path, stats[index]?.size, stats[index]?.mtimeMs, stats[index]?.ino]),
  )
}

/** Publishes the models of a data folder whenever they have changed. */
export function openModelPublisher(sharing: Sharing, dataDir: string): (epoch: number) => Promise<void> {
  const folder = dataPaths(dataDir).models
  let published = ''
  return async (epoch) => {
    const paths = await modelFiles(folder)
    const present = await fingerprint(folder, paths)
    if (paths.length === 0 || present === published) return
    const files = paths.map((path) => ({ path, read: () => readFile(join(folder, path)) }))
    await publishFiles(sharing, NAME, epoch, { id: sha256Of(Buffer.from(present)), files, is_compressed: true })
    published = present
  }
}

/** The models of a pipeline that leads. */
export interface ModelsOfLeader {
  /** As `fetchModels`. */
  fetchPublished: () => Promise<HoldshortError[]>
  /** Publishes the models whenever they have changed. While the published ones were not fetched yet, it fetches them before. */
  publish: (epoch: number) => Promise<void>
}

/** Opens the models of a data folder that may lack those that another pipeline published, or have older ones. */
export function openModelsOfLeader(sharing: Sharing, dataDir: string): ModelsOfLeader {
  const publish = openModelPublisher(sharing, dataDir)
  let isFetched = false
  const fetchPublished = async () => {
    const lost = await fetchModels(sharing, dataDir)
    isFetched = true
    return lost
  }
  return {
    fetchPublished,
    publish: async (epoch) => {
      if (!isFetched) await fetchPublished()
      await publish(epoch)
    },
  }
}

/**
 * Replaces the models of a data folder by the published ones. If none are published, the folder keeps its own, and so it does for
 * each file that the bucket lost; returns the errors of those.
 * @throws HoldshortError STORE_UNREACHABLE
 */
export async function fetchModels(sharing: Sharing, dataDir: string): Promise<HoldshortError[]> {
  const found = await readPublished(sharing, NAME)
  if (found === null) return []
  const folder = dataPaths(dataDir).models
  const lost: HoldshortError[] = []
  await forEachFew(Object.entries(found.files), async ([path, content]) => {
    const own = await readFile(join(folder, path)).catch(() => null)
    if (own && sha256Of(own) === content.sha256) return
    try {
      const bytes = await fetchContent(sharing, content)
      await makeFolder(dataDir, 'models', ...path.split('/').slice(0, -1))
      await writeWhole(join(folder, path), bytes)
    } catch (error) {
      if (!(error instanceof HoldshortError && error.code === 'STORE_DAMAGED')) throw error
      lost.push(error)
    }
  })
  for (const path of await modelFiles(folder))
    if (!Object.hasOwn(found.files, path)) await rm(join(folder, path), { force: true })
  return lost
}
