import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from '../../config/settings.ts'

/** Fails at once where the api could not listen later, with the error of the operating system (EADDRINUSE, EACCES). */
export async function requireFreePort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  if (port === 0) return
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
