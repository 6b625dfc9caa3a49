import type { AccountDependencies } from '../dependencies.ts'
import type { makeProvider } from './provider.ts'

type LoadedServer = Omit<typeof import('./provider.ts'), 'makeProvider'> & Awaited<ReturnType<typeof makeProvider>>

/** The authorization server. It is loaded on first use, because its library takes a third of a second to load. */
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
  return {
    open: () => {
      loaded ??= load().catch((error) => {
        loaded = null
        throw error
      })
      return loaded
    },
  }
}
