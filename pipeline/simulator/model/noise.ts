/** FNV-1a of a text: a 32-bit key for the functions below. */
export function keyOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** A number in [0, 1) that looks random and depends on nothing but its arguments (integers): the murmur3 finaliser. */
export function chance(key: number, step: number): number {
  let hash = key ^ Math.imul(step | 0, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

/** Smooth noise in [-1, 1]: a different value at each whole `t`, eased in between. */
export function drift(key: number, t: number): number {
  const step = Math.floor(t)
  const part = t - step
  const eased = part * part * (3 - 2 * part)
  const here = chance(key, step)
  return 2 * (here + (chance(key, step + 1) - here) * eased) - 1
}

/** One of a list, by chance. */
export function pick<T>(list: readonly T[], key: number, step: number): T {
  return list[Math.floor(chance(key, step) * list.length)]!
}
