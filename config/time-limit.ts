/**
 * What work gives within a time in milliseconds; after that, what `late` gives or throws. The work itself goes on, and its failure
 * after that reaches nobody.
 */
export async function withTimeLimit<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  }).then(late)
  work.catch(() => undefined)
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
