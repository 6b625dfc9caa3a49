import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asDiskFull } from '../../warehouse/storage/files.ts'
import { requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'

export interface Digest {
  sha256: string
  bytes: number
}

/** A stream that passes everything on, and the digest of what went through. */
export function digestingStream(): { stream: Transform; digest: () => Digest } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.byteLength
      done(null, chunk)
    },
  })
  return { stream, digest: () => ({ sha256: hash.digest('hex'), bytes }) }
}

/** Copies what a stream gives to a new private file, synced to the disk. */
export async function writeDigested(content: NodeJS.ReadableStream, target: string): Promise<Digest> {
  const { stream, digest } = digestingStream()
  try {
    await pipeline(content, stream, createWriteStream(target, { flags: 'w', mode: 0o600, flush: true }))
    return digest()
  } catch (error) {
    throw asDiskFull(error, target)
  }
}

export const copyDigested = (source: string, target: string): Promise<Digest> =>
  writeDigested(createReadStream(source), target)

/** The digest of an ordinary file. */
export async function digestOfFile(path: string): Promise<Digest> {
  // Opening a pipe would wait for its writer.
  await requireOrdinaryFile(path)
  const { stream, digest } = digestingStream()
  stream.resume()
  await pipeline(createReadStream(path), stream)
  return digest()
}
