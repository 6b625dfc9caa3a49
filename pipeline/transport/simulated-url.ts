/**
 * Where a request really goes: the address itself, or its place in the simulated world, where
 * https://host/path?q is served as <world>/host/path?q. The only simulation hook of the project.
 */
export function simulatedUrl(url: string, world: string | null): string {
  if (world === null) return url
  const { host, pathname, search } = new URL(url)
  return `${world.replace(/\/$/, '')}/${host}${pathname}${search}`
}
