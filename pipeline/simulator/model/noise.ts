/** FNV-1a hash of a text: a 32-bit key for the functions below. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** A pseudo-random number in [0, 1) that depends only on its arguments (integers): the murmur3 finaliser. */
export function uniform(key: number, step: number): number {
  let hash = key ^ Math.imul(step | 0, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

/** Smooth noise in [-1, 1]: a pseudo-random value at each whole `t`, interpolated between them. */
export function smoothNoise(key: number, t: number): number {
  const step = Math.floor(t)
  const fraction = t - step
  const eased = fraction * fraction * (3 - 2 * fraction)
  const here = uniform(key, step)
  return 2 * (here + (uniform(key, step + 1) - here) * eased) - 1
}

/** A pseudo-random member of a list. */
export function pick<T>(list: readonly T[], key: number, step: number): T {
  return list[Math.floor(uniform(key, step) * list.length)]!
}
