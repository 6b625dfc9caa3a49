import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves to true once the api at an address answers; to false when it has not within the limit or until the signal. */
export const waitUntilUp = (address: string, limitMs: number, signal?: AbortSignal): Promise<boolean> =>
  waitUntil(
    async () => (await fetch(`${address}/health`, signal ? { signal } : {}).catch(() => null))?.ok === true,
    limitMs,
    signal,
  )

/** Resolves to true once a condition holds; to false when it has not within the limit or until the signal. */
export async function waitUntil(
  holds: () => Promise<boolean>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end && !signal?.aborted; ) {
    if (await holds()) return true
    await sleep(100, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
  return false
}
