import { constants, setPriority } from 'node:os'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'

/**
 * Runs a simulated world for the process that started it, and ends with that process. It stands for other machines of the
 * internet, so it takes the processor last.
 */
setPriority(constants.priority.PRIORITY_LOW)
const world = await startSimulatedWorld({ seed: 1, random_faults: USUAL_RANDOM_FAULTS })
process.send?.(world.url)
process.once('disconnect', () => process.exit(0))
