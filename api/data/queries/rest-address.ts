import type { AsyncQuery, Query } from './define.ts'

/** The address of a query's answer over REST for an input, with CSV where there is one; null where only MCP answers it. */
export function restAddress({ rest }: Query | AsyncQuery, input: unknown, site_url: string): string | null {
  if (rest === null || rest.method !== 'GET') return null
  const parameters = new URLSearchParams()
  let path = rest.path
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    const inPath = path.includes(`:${name}`)
    if (inPath) path = path.replace(`:${name}`, encodeURIComponent(String(value)))
    else if (value !== undefined) parameters.set(name, String(value))
  }
  const query = parameters.toString()
  const csv = rest.csv ? ` (as CSV: ${rest.path.split('/').at(-1)}.csv)` : ''
  return `${site_url}/api/v1${path}${query === '' ? '' : `?${query}`}${csv}`
}
