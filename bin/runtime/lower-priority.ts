import { constants, setPriority } from 'node:os'

/**
 * Gives a process less of the processor wherever the api needs it too: the pipeline ranks below the api, and training below
 * both. A process that lowers its own priority (pid 0) does so before it starts threads, which inherit it.
 */
export function lowerPriority(of: 'pipeline' | 'training', pid = 0): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  try {
    setPriority(pid, of === 'pipeline' ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW)
  } catch {
    // Where the system does not allow it, all processes are equal.
  }
}
