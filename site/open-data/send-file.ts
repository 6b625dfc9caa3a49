import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from '../../api/rest/entity-tags.ts'
import { HoldshortError } from '../../config/errors.ts'
import { isExhausted, requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'
import type { ServedFile } from './published-export.ts'

/**
 * The identity of a file's content: files are replaced by renaming, so inode and write time distinguish them. Content fetched
 * from a bucket is identified by its digest, so that a reader can continue at another machine.
 */
async function identityOf(file: FileHandle, content: ServedFile['content']) {
  const { ino, size, mtimeNs, mtimeMs } = await file.stat({ bigint: true })
  const identity = content === null ? `${ino} ${size} ${mtimeNs}` : content.sha256
  // No hyphen at the end, which would be read as one of a coding that a proxy writes after the tag.
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 20)
  const modified = content?.modified_ms ?? Number(mtimeMs)
  // HTTP dates have whole seconds.
  return { size: Number(size), etag: `"${digest}"`, modified_ms: Math.floor(modified / 1_000) * 1_000 }
}

type FileIdentity = Awaited<ReturnType<typeof identityOf>>

/** Whether an If-Match header names this very content (strong comparison, RFC 9110 section 13.1.1). */
const matches = (ifMatch: string, etag: string) =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag)

/** Whether a caller already has this file (RFC 9110, 13.1). */
function isNotModified({ headers }: FastifyRequest, { etag, modified_ms }: FileIdentity): boolean {
  const none = headers['if-none-match']
  if (none !== undefined) return isKnown(none, etag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && modified_ms <= since
}

/** Whether the ranges of a request are of this file: If-Range names its strong tag or its very date, or is absent. */
function isSameFile(header: string | undefined, { etag, modified_ms }: FileIdentity): boolean {
  if (header === undefined) return true
  return header.startsWith('"') ? header === etag : Date.parse(header) === modified_ms
}

/**
 * Sends a file, or the bytes of it that a request asks for, with the tags that let a reader fetch parts of one and the same
 * content. @throws HoldshortError PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { localPath, content, type }: ServedFile,
): Promise<FastifyReply> {
  const path = await localPath()
  const opened = requireOrdinaryFile(path).then(() => open(path))
  const file = await opened.catch((cause) => {
    if (isExhausted(cause))
      throw new HoldshortError('EXPORT_UNAVAILABLE', 'the file cannot be opened now; try again shortly', { cause })
    throw new HoldshortError('NOT_FOUND', 'the file is not there any more; read the manifest again', { cause })
  })
  try {
    const identity = await identityOf(file, content)
    const { size, etag, modified_ms } = identity
    reply.header('etag', etag).header('last-modified', new Date(modified_ms).toUTCString())
    const match = request.headers['if-match']
    if (match !== undefined && !matches(match, etag))
      throw new HoldshortError('PRECONDITION_FAILED', 'the file is another one by now; read the manifest again')
    if (isNotModified(request, identity)) return await sendNothing(request, reply.code(304), file)
    const isRead =
      request.method === 'GET' && isSameFile(String(request.headers['if-range'] ?? '') || undefined, identity)
    const range = isRead ? requestedRange(request.headers.range, size) : 'whole'
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`)
      throw new HoldshortError('RANGE_NOT_SATISFIABLE', `the file has ${size} bytes`)
    }
    const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
    reply.header('content-type', type).header('content-length', end - start + 1)
    if (request.method === 'HEAD') return await sendNothing(request, reply, file)
    if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
    // The stream closes the file when it ends, or when the caller goes away.
    return reply.send(file.createReadStream({ start, end }))
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Answers without a body. For HEAD without a stream Fastify would send Content-Length: 0. */
async function sendNothing({ method }: FastifyRequest, reply: FastifyReply, file: FileHandle): Promise<FastifyReply> {
  await file.close()
  return reply.send(method === 'HEAD' ? Readable.from([]) : undefined)
}

/** Some bytes of a file, first and last included. */
interface ByteRange {
  start: number
  end: number
}

const RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i

/**
 * The bytes that a Range header asks for (RFC 9110, 14.2) of a file of `size` bytes. `whole`: there is no header, or one that a
 * server may ignore: of another unit, malformed, or with several ranges. `unsatisfiable`: the file has none of these bytes.
 */
export function requestedRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
