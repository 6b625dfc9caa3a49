import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 1_048_576

/**
 * The bytes of a file that somebody named, or of a pipe, up to a bound: a device like /dev/zero has no end.
 * @throws Error EISDIR, ENOENT and the like of the system, or one that says that there is more than the bound
 */
export function readNamedFile(path: string, maxBytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > maxBytes) throw tooLarge(path, maxBytes)
    const chunks: Buffer[] = []
    let bytes = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size - bytes, 65_536)))
      const read = readSync(file, chunk)
      if (read === 0) return Buffer.concat(chunks)
      bytes += read
      if (bytes > maxBytes) throw tooLarge(path, maxBytes)
      chunks.push(chunk.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

const tooLarge = (path: string, maxBytes: number) =>
  new Error(`${path} has more than ${(maxBytes / 1_048_576).toFixed(0)} MB, or has no end`)
