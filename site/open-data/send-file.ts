import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from '../../api/rest/entity-tags.ts'
import { HoldshortError } from '../../config/errors.ts'
import { isExhausted, requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'
import type { ServedFile } from './published-export.ts'

/**
 * Which content a file has: files are replaced by renaming, so the inode and the time of its writing tell two apart. What was
 * fetched from a bucket is known by its digest, so that a reader can go on at another machine.
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
    const ranges = isRead ? requestedRanges(request.headers.range, size) : 'whole'
    if (ranges === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`)
      throw new HoldshortError('RANGE_NOT_SATISFIABLE', `the file has ${size} bytes`)
    }
    reply.header('content-type', type)
    if (ranges === 'whole') {
      reply.header('content-length', size)
      if (request.method === 'HEAD') return await sendNothing(request, reply, file)
      return reply.send(readOf(file, { start: 0, end: size - 1 }))
    }
    return reply.code(206).send(sendRanges(reply, file, ranges, size, type))
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

/** The stream closes the file when it ends, or when the caller goes away. */
const readOf = (file: FileHandle, { start, end }: ByteRange, autoClose = true) =>
  file.createReadStream({ start, end, autoClose })

const lengthOf = ({ start, end }: ByteRange) => end - start + 1

/** Sets the headers of a partial answer and returns its body: one range as it is, several as the parts of one body. */
function sendRanges(
  reply: FastifyReply,
  file: FileHandle,
  ranges: readonly ByteRange[],
  size: number,
  type: string,
): Readable {
  const contentRange = ({ start, end }: ByteRange) => `bytes ${start}-${end}/${size}`
  const [only] = ranges
  if (only && ranges.length === 1) {
    reply.header('content-range', contentRange(only)).header('content-length', lengthOf(only))
    return readOf(file, only)
  }
  const boundary = randomBytes(12).toString('hex')
  const heads = ranges.map(
    (range) => `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(range)}\r\n\r\n`,
  )
  const end = `\r\n--${boundary}--\r\n`
  const length = ranges.reduce((sum, range, k) => sum + heads[k]!.length + lengthOf(range), end.length)
  reply.header('content-type', `multipart/byteranges; boundary=${boundary}`).header('content-length', length)
  return Readable.from(partsOf(file, ranges, heads, end), { objectMode: false })
}

async function* partsOf(file: FileHandle, ranges: readonly ByteRange[], heads: readonly string[], end: string) {
  try {
    for (const [k, range] of ranges.entries()) {
      yield Buffer.from(heads[k]!)
      for await (const chunk of readOf(file, range, false)) yield chunk as Buffer
    }
    yield Buffer.from(end)
  } finally {
    await file.close()
  }
}

/** Some bytes of a file, first and last included. */
interface ByteRange {
  start: number
  end: number
}

/** More ranges than any reader of columns asks for at once. */
const MAX_RANGES = 32

const RANGE = /^(\d{0,15})-(\d{0,15})$/

/**
 * The bytes that a Range header asks for (RFC 9110, 14.2) of a file of `size` bytes. `whole`: there is no header, or one that a
 * server ignores: of another unit, malformed, or with too many or overlapping ranges, which only cost. `unsatisfiable`: the file
 * has none of these bytes.
 */
export function requestedRanges(header: string | undefined, size: number): ByteRange[] | 'whole' | 'unsatisfiable' {
  const value = /^bytes=(.*)$/i.exec(header?.trim() ?? '')?.[1]
  if (value === undefined) return 'whole'
  const texts = value.split(',').map((text) => text.trim())
  if (texts.length > MAX_RANGES) return 'whole'
  const ranges: ByteRange[] = []
  for (const text of texts) {
    const match = RANGE.exec(text)
    if (!match || text === '-') return 'whole'
    const [, first = '', last = ''] = match
    if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole'
    const range = first === '' ? suffixOf(Number(last), size) : { start: Number(first), end: endOf(last, size) }
    if (range && range.start < size) ranges.push(range)
  }
  if (ranges.length === 0) return 'unsatisfiable'
  return areApart(ranges) ? ranges : 'whole'
}

const endOf = (last: string, size: number) => (last === '' ? size - 1 : Math.min(Number(last), size - 1))

/** The last bytes of a file: all where it has fewer; null for none. */
function suffixOf(length: number, size: number): ByteRange | null {
  return length === 0 || size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 }
}

function areApart(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  return sorted.every((range, k) => k === 0 || range.start > sorted[k - 1]!.end)
}
