import type { AccountDependencies } from '../dependencies.ts'
import type { makeProvider } from './provider.ts'

type Opened = Omit<typeof import('./provider.ts'), 'makeProvider'> & Awaited<ReturnType<typeof makeProvider>>

/** The authorization server, made when it is first asked: its library takes a third of a second to load. */
export interface AuthorizationServer {
  open: () => Promise<Opened>
}

declare module 'fastify' {
  interface FastifyInstance {
    authorizationServer: AuthorizationServer
  }
}

/** The authorization server of an installation. One that could not be made is tried again at the next request. */
export function lazyAuthorizationServer(dependencies: AccountDependencies): AuthorizationServer {
  let opened: Promise<Opened> | null = null
  const make = async () => {
    const { makeProvider, ...rest } = await import('./provider.ts')
    return { ...rest, ...(await makeProvider(dependencies)) }
  }
  return {
    open: () => {
      opened ??= make().catch((error) => {
        opened = null
        throw error
      })
      return opened
    },
  }
}
