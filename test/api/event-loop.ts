import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets the event loop poll once, as it does before it reads a request, so that the effects of other processes are visible. */
export async function letEventLoopPoll(): Promise<void> {
  await nextTurn()
  await nextTurn()
}
