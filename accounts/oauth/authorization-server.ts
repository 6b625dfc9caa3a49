import type { AccountDependencies } from '../dependencies.ts'
import type { makeProvider } from './provider.ts'
import { signingKeysChanged } from './signing-key.ts'

type LoadedServer = Omit<typeof import('./provider.ts'), 'makeProvider'> & Awaited<ReturnType<typeof makeProvider>>

/** A rotation of the signing key or the pepper is followed within this time. */
const ROTATION_INTERVAL_MS = 2_000

/**
 * The authorization server. It is loaded on first use, and by a server when it listens: its library takes a quarter of a second
 * to load.
 */
export interface AuthorizationServer {
  open: () => Promise<LoadedServer>
}

declare module 'fastify' {
  interface FastifyInstance {
    authorizationServer: AuthorizationServer
  }
}

/** The authorization server of an installation. If loading it fails, the next request tries again. */
export function lazyAuthorizationServer(dependencies: AccountDependencies): AuthorizationServer {
  let loaded: Promise<LoadedServer> | null = null
  const load = async () => {
    const { makeProvider, ...rest } = await import('./provider.ts')
    return { ...rest, ...(await makeProvider(dependencies)) }
  }
  const { state } = dependencies
  let version = ''
  let checkedAt = Number.NEGATIVE_INFINITY
  /** The parts of the server that a rotation changes. */
  const currentVersion = async () => JSON.stringify([await signingKeysChanged(state), state.peppers.all.length])
  const hasRotated = async () => {
    if (performance.now() - checkedAt < ROTATION_INTERVAL_MS) return false
    checkedAt = performance.now()
    // While the state cannot be read, the server that is there goes on.
    const current = await currentVersion().catch(() => version)
    return current !== version
  }
  return {
    open: async () => {
      if (loaded && (await hasRotated())) loaded = null
      loaded ??= load()
        .then(async (server) => {
          version = await currentVersion()
          return server
        })
        .catch((error) => {
          loaded = null
          throw error
        })
      return loaded
    },
  }
}
