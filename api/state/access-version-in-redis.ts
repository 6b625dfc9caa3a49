/**
 * The Redis key that holds the access version (see `State`): a new random value with every change of access. A gate does
 * not use what it cached under another version. The text is older than the term, and stays so that processes of different
 * releases agree during an upgrade.
 */
export const ACCESS_VERSION_KEY = 'holdshort:gate:epoch'

/**
 * Rejects if `answer` is not settled within `ms`. When the timer fires, the event loop may only have been busy, so answers
 * that have already arrived are read first; the command timeout of ioredis does not do that.
 */
export function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectLate = () => setImmediate(() => setImmediate(() => reject(new Error(`no answer in ${ms} ms`))))
    const timer = setTimeout(rejectLate, ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
