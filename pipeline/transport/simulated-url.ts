/**
 * The address that a request is really sent to: the address itself, or its place in the simulated world, which serves
 * https://host/path?q as <simulated_world>/host/path?q. No other code of the project redirects requests to the simulated world.
 */
export function simulatedUrl(url: string, simulated_world: string | null): string {
  if (simulated_world === null) return url
  const { host, pathname, search } = new URL(url)
  return `${simulated_world.replace(/\/$/, '')}/${host}${pathname}${search}`
}
