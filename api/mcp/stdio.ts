import { PassThrough, type Readable, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { once } from '../../config/once.ts'
import { TIERS } from '../../config/tiers.ts'
import type { AppDependencies } from '../dependencies.ts'
import { type Admission, SETTLE_NOTHING } from '../gate/admission.ts'
import type { McpRequest } from './call-tool.ts'
import type { McpCatalogue } from './catalogue.ts'
import { mcpServer } from './server.ts'

/** A caller with the data folder may read all of it; reports and alerts need an account, which this caller lacks. */
const ADMISSION: Admission = {
  caller: { kind: 'connection', id: 'stdio', account_id: '', tier: 'enterprise', may_write: false },
  terms: TIERS.enterprise,
  quotas: { minute: { limit: 0, remaining: 0, reset_seconds: 0 }, month: null },
  refusal: null,
  settle: SETTLE_NOTHING,
}

/** Serves MCP on two streams from a data folder, to one client of either era of the protocol. Ends when `input` has ended and all is answered, and then resolves. */
export function serveMcpOnStreams(
  catalogue: McpCatalogue,
  dependencies: AppDependencies,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  const { clock = Date.now, logger } = dependencies
  let calls = 0
  const call: McpRequest = {
    admission: ADMISSION,
    get request_id() {
      calls += 1
      return `stdio-${calls}`
    },
    source: '',
    get now() {
      return clock()
    },
    count: () => undefined,
    showsViews: false,
    signal: once(() => new AbortController().signal),
  }
  // The transport closes as soon as its input ends, whatever is not answered yet.
  const endless = input.pipe(new PassThrough(), { end: false })
  const transport = new StdioServerTransport(endless, output)
  // Each answer for which the reader has no room yet listens for it.
  output.setMaxListeners(0)
  const handle = serveStdio(() => mcpServer(catalogue, dependencies, call), {
    transport,
    onerror: (error) => logger?.debug({ err: error }, 'mcp'),
  })
  const whenAnswered = countAnswers(transport)
  return new Promise((resolve) => {
    const whenRead = () => {
      if (endless.readableLength + endless.writableLength > 0) return void setImmediate(whenRead)
      whenAnswered(() => void handle.close().then(resolve))
    }
    input.once('end', () => setImmediate(whenRead))
  })
}

/** Notes from now on which requests of a transport wait for their answer. Returns a function that calls back once, when none does. */
function countAnswers(transport: StdioServerTransport): (done: () => void) => void {
  const waiting = new Set<unknown>()
  let whenNone: (() => void) | null = null
  const end = (id: unknown) => {
    waiting.delete(id)
    if (waiting.size === 0) whenNone?.()
  }
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    const { id, method, params } = message as { id?: unknown; method?: string; params?: { requestId?: unknown } }
    // A subscription is answered when it ends.
    if (id !== undefined && method !== undefined && method !== 'subscriptions/listen') waiting.add(id)
    receive?.(message)
    // A cancelled request has no answer.
    if (method === 'notifications/cancelled') end(params?.requestId)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) end(message.id)
  }
  return (done) => {
    whenNone = done
    if (waiting.size === 0) done()
    else setTimeout(done, MAX_ANSWER_MS).unref()
  }
}

/** How long answers are waited for once the client has gone. */
const MAX_ANSWER_MS = 60_000
