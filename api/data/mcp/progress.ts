import type { ServerContext } from '@modelcontextprotocol/server'

const EVERY_MS = 1_000

/**
 * Does the work of a tool call and tells the caller every second that it goes on, if it asked to be told. Nothing is sent
 * for what is answered at once.
 */
export async function withProgress<T>({ mcpReq }: ServerContext, work: () => Promise<T>): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  let progress = 0
  const tell = () => {
    progress += 1
    const params = { progressToken, progress, message: 'the source is being asked' }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  const telling = setInterval(tell, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(telling)
  }
}
