import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves to true once the api at an address answers; to false when it has not within the limit or until the signal. */
export async function waitUntilUp(address: string, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end && !signal?.aborted; ) {
    const answer = await fetch(`${address}/health`, signal ? { signal } : {}).catch(() => null)
    if (answer?.ok) return true
    await sleep(100, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
  return false
}
