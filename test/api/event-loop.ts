import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets the event loop poll once, as it does before it reads a request, so that commits of other processes are noticed. */
export async function polled(): Promise<void> {
  await nextTurn()
  await nextTurn()
}
