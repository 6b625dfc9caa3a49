/**
 * Whether a client means a resource of ours. Clients write it with a slash at its end, in capitals, with its default port, or as
 * its origin alone.
 */
export function isSameResource(requested: string, resource: string): boolean {
  if (!URL.canParse(requested)) return false
  const { origin, pathname, search, hash, username, password } = new URL(requested)
  const own = new URL(resource)
  if (origin !== own.origin || search + hash + username + password !== '') return false
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  return path === '' || path === own.pathname
}
