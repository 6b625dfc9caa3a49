const TIMEOUT_MS = 3_000

/** The time in the `Date` header of a URL's server, in epoch milliseconds; null when it does not answer. */
export async function dateOf(url: string, contact: string): Promise<number | null> {
  try {
    const answer = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'user-agent': `holdshort doctor (+${contact})` },
    })
    const date = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(date) ? null : date
  } catch {
    return null
  }
}
