import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FetchError } from '../../config/errors.ts'
import type { SourceRequest } from '../../pipeline/parsing/collector.ts'
import { createHttpClient, type HttpClientOptions } from '../../pipeline/transport/http-client.ts'

type Page = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a web site on a free local port. A path without a page answers 404. */
export async function openLocalSite() {
  const pages = new Map<string, Page>()
  /** Every request so far, with the instant at which it arrived. */
  const seen: {
    path: string
    method: string
    headers: IncomingMessage['headers']
    received_ms: number
    body: string
  }[] = []
  const server: Server = createServer((request, response) => {
    const path = request.url ?? ''
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ path, method: request.method ?? '', headers: request.headers, received_ms: Date.now(), body })
      const page = pages.get(path.split('?')[0] ?? '')
      if (page) page(request, response)
      else response.writeHead(404).end('nothing here')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    pages,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
export type LocalSite = Awaited<ReturnType<typeof openLocalSite>>

/** A page that answers with this text. */
export function text(body: string, type = 'text/html', status = 200): Page {
  return (_, response) => response.writeHead(status, { 'Content-Type': type }).end(body)
}

/** The error that a request ends with; fails the test when there is none. */
export const failing = (work: Promise<unknown>): Promise<FetchError> =>
  work.then(
    () => Promise.reject(new Error('should have failed')),
    (error) => error,
  )

/** A client that may ask this machine, and hardly pauses between tries. */
export const testHttpClient = (options: Partial<HttpClientOptions> = {}) =>
  createHttpClient({
    version: '1.2.3',
    contact: 'ops@example.org',
    backoff_ms: 1,
    random: () => 0,
    allowed_networks: ['127.0.0.1'],
    ...options,
  })

export const getRequest = (url: string, more: Partial<SourceRequest> = {}): SourceRequest => ({
  url,
  method: 'GET',
  headers: {},
  body: null,
  iata: null,
  ...more,
})
