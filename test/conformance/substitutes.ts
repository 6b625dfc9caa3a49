interface Message {
  method?: string
  params?: { name?: string; uri?: string; ref?: { name?: string }; argument?: { name: string; value: string } }
}

interface Substitute {
  name: string
  arguments: Record<string, unknown>
}

/**
 * The suites use tools and prompts of their own reference server. Where one of ours can show the same behaviour, the proxy
 * replaces their name with ours; nothing else is changed.
 */
const CALLS: Record<string, Substitute> = {
  test_simple_text: { name: 'get_security_wait_estimate', arguments: { iata: 'JFK' } },
  test_error_handling: { name: 'get_airport_overview', arguments: { iata: 'QQQ' } },
  test_tool_with_progress: { name: 'get_live_wait_time', arguments: { iata: 'JFK' } },
  test_simple_prompt: { name: 'choose_airport', arguments: { city: 'New York' } },
}
const RESOURCES: Record<string, string> = { 'test://static-text': 'holdshort://tables' }
const COMPLETION = {
  theirs: 'test_prompt_with_arguments',
  name: 'choose_airport',
  argument: { name: 'city', value: 'New' },
}

/** All substitutes, for the README. */
export const SUBSTITUTES: [theirs: string, ours: string][] = [
  ...Object.entries(CALLS).map(([theirs, { name }]): [string, string] => [theirs, name]),
  ...Object.entries(RESOURCES),
  [COMPLETION.theirs, COMPLETION.name],
]

/** Replaces names of the suite with ours in a message body and its header `Mcp-Name`. */
export function withSubstitutes(
  body: string,
  header: string | undefined,
): { body: string; header: string | undefined } {
  const unchanged = { body, header }
  const message = asMessage(body)
  const params = message?.params
  if (!message || !params) return unchanged
  const changed = (replaced: object, theirs?: string, ours?: string) => ({
    body: JSON.stringify({ ...message, params: { ...params, ...replaced } }),
    header: header === theirs ? ours : header,
  })
  const call = CALLS[params.name ?? '']
  if (call && /^(tools\/call|prompts\/get)$/.test(message.method ?? '')) return changed(call, params.name, call.name)
  const uri = RESOURCES[params.uri ?? '']
  if (uri && message.method === 'resources/read') return changed({ uri }, params.uri, uri)
  if (params.ref?.name !== COMPLETION.theirs) return unchanged
  return changed({ ref: { ...params.ref, name: COMPLETION.name }, argument: COMPLETION.argument })
}

function asMessage(body: string): Message | null {
  try {
    return JSON.parse(body) as Message | null
  } catch {
    return null
  }
}
