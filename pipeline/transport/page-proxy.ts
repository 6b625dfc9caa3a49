import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { PublicNetwork } from '../../config/public-network.ts'

/** A proxy on this machine that carries all traffic of the browser. */
export interface PageProxy {
  /** For `--proxy-server`. */
  address: string
  /** Why the last connection to a host failed; undefined when none failed. */
  failureOf: (hostname: string) => Error | undefined
  close: () => Promise<void>
}

/** Headers that concern one connection only (RFC 9110 section 7.6.1). */
const HOP_HEADERS = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']

/**
 * Starts a forward proxy that connects to the addresses of `network` only. The browser resolves no name and opens no connection
 * itself, so documents, scripts, redirects, WebSockets, workers and prefetches all pass here, whatever a page tries.
 * `only`: the origin of the simulated world; then nothing else may be requested.
 */
export async function openPageProxy(network: PublicNetwork, only: string | null): Promise<PageProxy> {
  const failures = new LRUCache<string, Error>({ max: 100 })
  const sockets = new Set<Duplex>()

  /** The target of a connection; throws for a host that may not be requested. */
  const target = (host: string, port: number) => {
    if (only !== null) {
      const world = new URL(only)
      if (host !== world.hostname || port !== Number(world.port))
        throw new Error('only the simulated world is reachable')
      return { host, port }
    }
    const refused = network.refusalOfAddress(host)
    if (refused) throw refused
    return { host: host.replace(/^\[|\]$/g, ''), port, lookup: network.lookup }
  }

  /** A plain http request: the address is the whole URL. */
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method, headers } = request
    if (!URL.canParse(url) || !url.startsWith('http:')) return void response.writeHead(400).end()
    const { hostname, port, pathname, search, host } = new URL(url)
    const refuse = (error: Error) => {
      failures.set(hostname, error)
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { 'Content-Type': 'text/plain' }).end(error.message)
    }
    try {
      const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)))
      const onward = httpRequest(
        {
          ...target(hostname, Number(port || 80)),
          method,
          path: pathname + search,
          headers: { ...sent, host },
          agent: false,
        },
        (answer) => {
          failures.delete(hostname)
          for (const name of HOP_HEADERS) delete answer.headers[name]
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.on('error', () => response.destroy()).pipe(response)
        },
      )
      onward.on('error', refuse)
      response.on('close', () => onward.destroy())
      request.pipe(onward)
    } catch (error) {
      refuse(error as Error)
    }
  }

  /** A tunnel, for https and WebSockets. */
  const tunnel = (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const { hostname, port } = URL.canParse(`tunnel://${request.url}`)
      ? new URL(`tunnel://${request.url}`)
      : { hostname: '', port: '' }
    client.on('error', () => client.destroy())
    const refuse = (error: Error) => {
      failures.set(hostname, error)
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    }
    try {
      const onward = connect(target(hostname, Number(port)))
      sockets.add(onward)
      onward.once('error', refuse)
      onward.once('connect', () => {
        failures.delete(hostname)
        onward.off('error', refuse).on('error', () => client.destroy())
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        if (head.length > 0) onward.write(head)
        onward.pipe(client)
        client.pipe(onward)
      })
      onward.once('close', () => {
        sockets.delete(onward)
        client.destroy()
      })
      client.once('close', () => onward.destroy())
    } catch (error) {
      refuse(error as Error)
    }
  }

  const server = createServer(forward)
    .on('connect', tunnel)
    .on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // The proxy alone must not keep the process alive.
  server.unref()
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failureOf: (hostname) => failures.get(hostname),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
