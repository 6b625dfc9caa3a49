/**
 * Rejects when a signal fires, with the reason of the signal or the error that `errorOf` makes of it: for a race with work that
 * cannot be cut off.
 */
export function rejectOnAbort(
  signal: AbortSignal,
  errorOf: (reason: unknown) => unknown = (reason) => reason,
): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(errorOf(signal.reason) as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
