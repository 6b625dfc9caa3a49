interface Message {
  method?: string
  params?: { name?: string; uri?: string; ref?: { name?: string }; argument?: { name: string; value: string } }
}

interface StandIn {
  name: string
  arguments: Record<string, unknown>
}

/**
 * The suites ask for tools and prompts of their own reference server. Where ours can show the same, it stands in: its name
 * takes the place of theirs on the way to the server, and nothing else is changed.
 */
const CALLS: Record<string, StandIn> = {
  test_simple_text: { name: 'get_security_wait_estimate', arguments: { iata: 'JFK' } },
  test_error_handling: { name: 'get_airport_overview', arguments: { iata: 'QQQ' } },
  test_tool_with_progress: { name: 'get_live_wait_time', arguments: { iata: 'JFK' } },
  test_simple_prompt: { name: 'choose_airport', arguments: { city: 'New York' } },
}
const READ: Record<string, string> = { 'test://static-text': 'holdshort://tables' }
const COMPLETED = {
  asked: 'test_prompt_with_arguments',
  name: 'choose_airport',
  argument: { name: 'city', value: 'New' },
}

/** What stands in for what, for the README. */
export const STAND_INS: [theirs: string, ours: string][] = [
  ...Object.entries(CALLS).map(([theirs, { name }]): [string, string] => [theirs, name]),
  ...Object.entries(READ),
  [COMPLETED.asked, COMPLETED.name],
]

/** A message of a suite and what its header `Mcp-Name` says, with ours in the place of theirs. */
export function withStandIns(body: string, header: string | undefined): { body: string; header: string | undefined } {
  const same = { body, header }
  const message = asMessage(body)
  const params = message?.params
  if (!message || !params) return same
  const changed = (more: object, theirs?: string, ours?: string) => ({
    body: JSON.stringify({ ...message, params: { ...params, ...more } }),
    header: header === theirs ? ours : header,
  })
  const call = CALLS[params.name ?? '']
  if (call && /^(tools\/call|prompts\/get)$/.test(message.method ?? '')) return changed(call, params.name, call.name)
  const uri = READ[params.uri ?? '']
  if (uri && message.method === 'resources/read') return changed({ uri }, params.uri, uri)
  if (params.ref?.name !== COMPLETED.asked) return same
  return changed({ ref: { ...params.ref, name: COMPLETED.name }, argument: COMPLETED.argument })
}

function asMessage(body: string): Message | null {
  try {
    return JSON.parse(body) as Message | null
  } catch {
    return null
  }
}
