import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDependencies } from '../../api/dependencies.ts'
import { SourceLimit } from '../../api/gate/source-limit.ts'
import { addPreflight } from '../../api/rest/cors.ts'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import { ALL_WAITS, sendAllWaits } from './all-waits.ts'
import type { OpenData, PublishedExport, ServedFile } from './published-export.ts'
import { sendFile } from './send-file.ts'

const EXPOSED =
  'Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag, Last-Modified, RateLimit, Retry-After, X-Request-Id'

/** Files change at most once an export; a reader that keeps one a minute longer sees what its tag says. */
const CACHE = 'public, max-age=60'

/**
 * Adds `/data/…`: the files of the open data, for readers of any origin, whole or in parts. They need no key; the limit of
 * requests a minute of each network is high enough for readers of many parts.
 */
export function addOpenDataRoutes(
  app: FastifyInstance,
  openData: OpenData,
  { settings, clock = Date.now }: Pick<AppDependencies, 'settings' | 'clock'>,
): void {
  const { open_data_per_minute } = settings
  const limit = open_data_per_minute === 0 ? null : new SourceLimit(open_data_per_minute)
  const bodies = new Map<string, { version: string; body: ResponseBody }>()
  const bodyOf = async (
    name: string,
    { version }: PublishedExport,
    type: string,
    make: () => Promise<string> | string,
  ) => {
    const known = bodies.get(name)
    if (known?.version === version) return known.body
    const body = new ResponseBody(await make(), type, version)
    bodies.set(name, { version, body })
    return body
  }
  const sendDocument = async (request: FastifyRequest, reply: FastifyReply, name: string, file: ServedFile) => {
    const found = (await openData.current())!
    return sendBody(
      request,
      reply,
      await bodyOf(name, found, file.type, async () => readFile(await file.localPath(), 'utf8')),
      CACHE,
    )
  }

  app.get('/data/*', async (request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      'cache-control': CACHE,
    })
    const wait = limit?.take(request.ip, clock()) ?? 0
    if (wait > 0)
      throw new RateLimitedError(
        'address',
        wait,
        `more than ${open_data_per_minute} requests for open data in a minute from one address; fetch whole files, or wait for Retry-After`,
      )
    const path = (request.params as { '*': string })['*']
    if (path === '') return reply.redirect('/data', 308)
    const published = path === ALL_WAITS ? await openData.current() : null
    if (published) return sendAllWaits(request, reply, openData, published)
    const file = await openData.find(path)
    if (!file) throw notPublished(openData, path)
    // A document is small and compresses well; a part of it is a part of its file.
    if (file.isDocument && request.headers.range === undefined && request.headers['if-match'] === undefined)
      return sendDocument(request, reply, path, file)
    return sendFile(request, reply, file)
  })
  addPreflight(app, '/data/*', {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers':
      'Range, If-Range, If-Match, If-None-Match, If-Modified-Since, Cache-Control, X-Request-Id',
  })
}

function notPublished({ isOn }: OpenData, path: string): HoldshortError {
  if (!isOn) return new HoldshortError('NOT_FOUND', 'this installation publishes no open data')
  return new HoldshortError('NOT_FOUND', `the open data has no file ${path}; /data/manifest.json lists its files`)
}
