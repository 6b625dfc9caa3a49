import { openState, type State } from '../api/state/open.ts'
import { settingsFor } from './environment.ts'

/** Flags of every command that reads or writes the state. */
export interface StateFlags {
  dataDir?: string
  json?: boolean
}

/** Opens the state that a command's flags and the environment name, for as long as the work takes. */
export async function withState<T>(flags: StateFlags, work: (state: State) => Promise<T>): Promise<T> {
  const state = await openState(settingsFor(flags))
  try {
    return await work(state)
  } finally {
    await state.close()
  }
}
