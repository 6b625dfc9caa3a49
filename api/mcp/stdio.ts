import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { TIERS } from '../../config/tiers.ts'
import type { AppDependencies } from '../dependencies.ts'
import { type Admission, SETTLE_NOTHING } from '../gate/admission.ts'
import type { McpRequest } from './call-tool.ts'
import type { McpCatalogue } from './catalogue.ts'
import { mcpServer } from './server.ts'

/** Who has the data folder may read all of it; reports and alerts need an account, which this caller has not. */
const ADMISSION: Admission = {
  caller: { kind: 'connection', id: 'stdio', account_id: '', tier: 'enterprise', may_write: false },
  terms: TIERS.enterprise,
  quotas: { minute: { limit: 0, remaining: 0, reset_seconds: 0 }, month: null },
  refusal: null,
  settle: SETTLE_NOTHING,
}

/** Serves MCP on two streams from a data folder, to one client of either era of the protocol. Ends when `input` does, and then resolves. */
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
    signal: new AbortController().signal,
  }
  const handle = serveStdio(() => mcpServer(catalogue, dependencies, call), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => logger?.debug({ err: error }, 'mcp'),
  })
  return new Promise((resolve) => {
    input.once('end', () => void handle.close().then(resolve))
  })
}
