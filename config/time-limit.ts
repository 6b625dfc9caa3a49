/**
 * Returns the result of work within a time in milliseconds; after that, the result or error of `late`. The work goes on, and a
 * later failure is ignored.
 */
export async function withTimeLimit<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  }).then(late)
  work.catch(() => undefined)
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
