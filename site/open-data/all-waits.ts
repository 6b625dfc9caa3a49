import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from '../../api/rest/entity-tags.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { OpenData, PublishedExport } from './published-export.ts'

/** The file of all airports, below /data: what the files of the airports hold, one after the other. */
export const ALL_WAITS = 'hourly-waits.csv'

const LINE_END = 10

/** @throws HoldshortError EXPORT_UNAVAILABLE when a later export takes its place meanwhile; the answer then ends without its last part */
async function* rowsOf(openData: OpenData, { manifest }: PublishedExport) {
  let isFirst = true
  for (const { airport, path, sha256 } of manifest.files) {
    if (airport === undefined) continue
    const file = await openData.find(path)
    const content = file && (await readFile(await file.localPath()))
    if (!content || createHash('sha256').update(content).digest('hex') !== sha256)
      throw new HoldshortError(
        'EXPORT_UNAVAILABLE',
        'the open data was replaced while this file was sent; fetch it again',
      )
    yield isFirst ? content : content.subarray(content.indexOf(LINE_END) + 1)
    isFirst = false
  }
}

/** Sends the hourly waits of all airports as one CSV, made while it is sent. */
export function sendAllWaits(
  request: FastifyRequest,
  reply: FastifyReply,
  openData: OpenData,
  published: PublishedExport,
): FastifyReply {
  const etag = `"waits.${published.version}"`
  reply.headers({ etag, 'accept-ranges': 'none', 'content-disposition': `attachment; filename="${ALL_WAITS}"` })
  if (isKnown(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  return reply.type('text/csv; charset=utf-8').send(Readable.from(rowsOf(openData, published)))
}
