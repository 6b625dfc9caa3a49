import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW, PRIORITY_NORMAL } = constants.priority

/** The priority with which this process began: that of whoever started it, as with `nice holdshort start`. */
const initialPriority = ownPriority()

function ownPriority(): number {
  try {
    return getPriority()
  } catch {
    return PRIORITY_NORMAL
  }
}

/**
 * Gives a process less of the processor wherever the api needs it too: the pipeline ranks below the api, and training below
 * both. A process that lowers its own priority (pid 0) does so before it starts threads, which inherit it.
 */
export function lowerPriority(worker: 'pipeline' | 'training', pid = 0): void {
  try {
    const lower = worker === 'pipeline' ? Math.min(initialPriority + PRIORITY_BELOW_NORMAL, PRIORITY_LOW) : PRIORITY_LOW
    setPriority(pid, lower)
  } catch {
    // If the system does not allow it, all processes are equal.
  }
}
