import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Settings } from '../../config/settings.ts'

/**
 * The port, or a free one for 0. Fails at once where the api could not listen later, with the error of the operating system (EADDRINUSE,
 * EACCES).
 */
export async function requireFreePort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}
