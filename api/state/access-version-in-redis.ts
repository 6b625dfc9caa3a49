/**
 * The key in Redis that holds the current epoch of access. It gets a new random value with every change of access (a key
 * issued or revoked, a tier changed); what a gate knows of a caller from an earlier epoch no longer holds.
 */
export const ACCESS_VERSION_KEY = 'holdshort:gate:epoch'

/**
 * Waits for an answer, but not for ever. When its time is up the event loop may only have been busy: what has come
 * meanwhile is read first. (The time limit of ioredis would not.)
 */
export function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => setImmediate(() => setImmediate(() => reject(new Error(`no answer in ${ms} ms`))))
    const timer = setTimeout(late, ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
