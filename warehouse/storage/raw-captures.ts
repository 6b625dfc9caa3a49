import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { UtcInstant } from '../../config/vocabulary.ts'
import { sha256Of } from './file-identity.ts'
import { makeFolder, writeWhole } from './files.ts'
import { readOrdinaryFile } from './ordinary-file.ts'

/**
 * Raw captures: the bytes of a source's answer, stored before they are parsed.
 * One gzip file a capture, <raw>/source=<id>/date=<UTC day>/<capture id>.gz: a line of JSON about it, then the body.
 */
const CaptureHead = z.strictObject({
  capture_id: z.string(),
  source: z.string(),
  fetched_at: UtcInstant,
  url: z.string(),
  status: z.int(),
  content_type: z.string().nullable(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  iata: z.string().nullable(),
  sha256: z.string(),
  bytes: z.int(),
})
export type CaptureHead = z.infer<typeof CaptureHead>
export interface Capture extends CaptureHead {
  body: Uint8Array
}

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** The name of a capture's file. */
export const CAPTURE_FILE = /^.+-\d{14,17}-[0-9a-f]{12}\.gz$/

/** The id of a capture is made of source, instant and content, so storing it twice gives one file. */
function captureId(source: string, fetchedAt: string, sha256: string): string {
  return `${source}-${fetchedAt.replace(/[^0-9]/g, '').slice(0, 17)}-${sha256.slice(0, 12)}`
}

/** The path of a capture. */
export const capturePath = (dataDir: string, { source, fetched_at, capture_id }: CaptureHead): string =>
  join(dataPaths(dataDir).raw, `source=${source}`, `date=${fetched_at.slice(0, 10)}`, `${capture_id}.gz`)

/** Stores a body; returns its head with SHA-256 (hex) and id. */
export async function writeCapture(
  dataDir: string,
  body: Uint8Array,
  about: Omit<CaptureHead, 'capture_id' | 'sha256' | 'bytes'>,
): Promise<CaptureHead> {
  const sha256 = sha256Of(body)
  const head: CaptureHead = {
    ...about,
    capture_id: captureId(about.source, about.fetched_at, sha256),
    sha256,
    bytes: body.byteLength,
  }
  await makeFolder(dataDir, 'raw', `source=${head.source}`, `date=${head.fetched_at.slice(0, 10)}`)
  await writeWhole(
    capturePath(dataDir, head),
    await compress(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])),
  )
  return head
}

/**
 * Reads a capture and checks its hash.
 * @throws HoldshortError WAREHOUSE_CORRUPT
 */
export async function readCapture(path: string): Promise<Capture> {
  try {
    const content = await expand(await readOrdinaryFile(path))
    const end = content.indexOf(10)
    const head = CaptureHead.parse(JSON.parse(content.subarray(0, end).toString('utf8')))
    const body = content.subarray(end + 1)
    if (sha256Of(body) !== head.sha256) throw new Error('the hash does not match')
    return { ...head, body }
  } catch (error) {
    throw new HoldshortError('WAREHOUSE_CORRUPT', `raw capture ${path} cannot be read`, { cause: error })
  }
}

/** Paths of the captures of a source (or of all), oldest first within each; days as YYYY-MM-DD, both ends included. */
export async function listCaptures(
  dataDir: string,
  filter: { source?: string; from?: string; to?: string } = {},
): Promise<string[]> {
  const root = dataPaths(dataDir).raw
  const paths: string[] = []
  for (const sourceFolder of (await readdir(root).catch(() => [])).sort()) {
    if (filter.source && sourceFolder !== `source=${filter.source}`) continue
    for (const dayFolder of (await readdir(join(root, sourceFolder)).catch(() => [])).sort()) {
      const day = dayFolder.slice('date='.length)
      if ((filter.from && day < filter.from) || (filter.to && day > filter.to)) continue
      // Retention may have deleted the day since.
      const files = await readdir(join(root, sourceFolder, dayFolder)).catch(() => [])
      for (const file of files.sort()) if (file.endsWith('.gz')) paths.push(join(root, sourceFolder, dayFolder, file))
    }
  }
  return paths
}
