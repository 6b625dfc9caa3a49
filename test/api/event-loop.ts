import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets the event loop poll once, as it does before any request can be read: what other processes did is then known. */
export async function letEventLoopPoll(): Promise<void> {
  await nextTurn()
  await nextTurn()
}
