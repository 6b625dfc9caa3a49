import { join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import {
  type Call,
  type CallClient,
  type CallImplementation,
  type CallServer,
  implementCall,
} from '../../../jobs/calls/define-call.ts'
import { openRedisClient, serveOnRedis } from '../../../jobs/transports/redis.ts'
import { openSocketClient, serveOnSocket } from '../../../jobs/transports/socket.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { redisInstalled } from '../redis/redis-server.ts'

/** Both sides of one installation over one transport. */
interface Installation {
  serve: (calls: CallImplementation[]) => Promise<CallServer>
  openClient: () => CallClient
}

async function socketInstallation(): Promise<Installation> {
  const path = join(await temporaryFolder(), 'live.sock')
  return {
    serve: (calls) => serveOnSocket(path, calls, { takeover_check_ms: 20 }),
    openClient: () => openSocketClient(path),
  }
}

let installations = 0
function redisInstallation(redis_url: string): Installation {
  const options = { redis_url, prefix: `calls${process.pid}-${installations++}` }
  return { serve: (calls) => serveOnRedis(calls, options), openClient: () => openRedisClient(options) }
}

/** An open client, and the server of a call as it is opened and closed by the test. */
export interface OpenInstallation<Request, Answer> {
  client: CallClient
  serve: (answer: (request: Request) => Promise<Answer>) => Promise<void>
  stopServing: () => Promise<void>
}

/** Opens an installation that serves a call, or for null no call yet; both sides are closed when the test ends. */
export type OpenCall = <Request, Answer>(
  call: Call<Request, Answer>,
  answer: ((request: Request) => Promise<Answer>) | null,
) => Promise<OpenInstallation<Request, Answer>>

const openOver =
  (makeInstallation: () => Promise<Installation>): OpenCall =>
  async (call, answer) => {
    const installation = await makeInstallation()
    const client = installation.openClient()
    let server: CallServer | null = null
    const open: Awaited<ReturnType<OpenCall>> = {
      client,
      serve: async (implementation) => {
        server = await installation.serve([implementCall(call, implementation as typeof answer & object)])
      },
      stopServing: async () => {
        await server?.close()
        server = null
      },
    }
    onTestFinished(async () => {
      await client.close()
      await open.stopServing()
    })
    if (answer) await open.serve(answer as (request: unknown) => Promise<unknown>)
    return open as never
  }

/** Runs the same tests over both transports; those over Redis are skipped, saying so, where it is not installed. */
export function describeTransports(
  name: string,
  redis_url: string,
  tests: (open: OpenCall, options: { skip: boolean }) => void,
): void {
  describe(`${name} over the socket`, () => tests(openOver(socketInstallation), { skip: false }))
  describe(`${name} over Redis (needs redis-server)`, () =>
    tests(
      openOver(async () => redisInstallation(redis_url)),
      { skip: !redisInstalled },
    ))
}
