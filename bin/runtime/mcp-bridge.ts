import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'

/** MCP between two streams and the address of a service: each line of the input is posted, and each message of the answers is a line. */

interface Bridged {
  input: Readable
  output: Writable
  /** The address of the MCP server, such as https://waits.example.net/mcp. */
  address: string
  key: string
  fetch?: typeof fetch
}

interface Message {
  id?: string | number | null
  method?: string
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: unknown }
}

/** Passes messages on until the input ends and all have been answered. What cannot be sent is answered with an error that says why. */
export async function bridgeMcp({ input, output, address, key, fetch: send = fetch }: Bridged): Promise<void> {
  /** Agreed in the handshake of the earlier era of the protocol. */
  let version: string | null = null
  let session: string | null = null
  const write = (text: string) => {
    const message = parsed(text)
    if (typeof message?.result?.protocolVersion === 'string') version = message.result.protocolVersion
    output.write(`${text.replaceAll('\n', ' ')}\n`)
  }
  const post = async (line: string, sent: Message | null) => {
    const headers = protocolHeaders(sent, version)
    headers.set('authorization', `Bearer ${key}`)
    headers.set('accept', 'application/json, text/event-stream')
    headers.set('content-type', 'application/json')
    if (session !== null) headers.set('mcp-session-id', session)
    const answer = await send(address, { method: 'POST', headers, body: line })
    session = answer.headers.get('mcp-session-id') ?? session
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return writeEvents(answer, write)
    const text = await answer.text()
    if (text === '') return
    const message = parsed(text)
    if (message !== null && 'jsonrpc' in message && message.id !== null) return write(text)
    throw new Error(refusalText(text) ?? `the service answered ${answer.status}`)
  }
  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const message = parsed(line)
    const answered = post(line, message).catch((error: unknown) => {
      if (message?.id !== undefined && message.id !== null) write(JSON.stringify(failure(message.id, address, error)))
    })
    pending.add(answered)
    void answered.then(() => pending.delete(answered))
    // Messages after the handshake need its outcome.
    if (message?.method === 'initialize') await answered
  }
  await Promise.all(pending)
}

/** The headers by which the later era of the protocol repeats what a message says, or that of the earlier one names its version. */
function protocolHeaders(message: Message | null, version: string | null): Headers {
  const { method, params } = message ?? {}
  const headers = new Headers()
  const modern = params?._meta?.[PROTOCOL_VERSION_META_KEY]
  if (typeof modern !== 'string') {
    if (version !== null) headers.set('mcp-protocol-version', version)
    return headers
  }
  headers.set('mcp-protocol-version', modern)
  if (method !== undefined) headers.set('mcp-method', method)
  const name = params?.name ?? params?.uri
  if (typeof name === 'string') headers.set('mcp-name', name)
  return headers
}

/** Writes the message of each event as it arrives. */
async function writeEvents({ body }: Response, write: (text: string) => void): Promise<void> {
  let rest = ''
  for await (const chunk of body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    const events = (rest + chunk).split(/\r?\n\r?\n/)
    rest = events.pop()!
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
      const text = data.map((line) => line.slice('data:'.length).trimStart()).join('\n')
      if (text !== '') write(text)
    }
  }
}

function parsed(text: string): Message | null {
  try {
    return JSON.parse(text) as Message
  } catch {
    return null
  }
}

/** The text of a problem document or of a refused request's error, which names no message. */
function refusalText(text: string): string | null {
  const { code, detail, error } = (parsed(text) ?? {}) as {
    code?: string
    detail?: string
    error?: { message?: string }
  }
  return code === undefined ? (error?.message ?? null) : `${code}: ${detail ?? ''}`
}

const failure = (id: string | number, address: string, error: unknown) => {
  const { message, cause } = error as Error
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message
  return { jsonrpc: '2.0', id, error: { code: -32_000, message: `${address} gave no answer: ${why}` } }
}
