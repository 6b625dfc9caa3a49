import type { AppDependencies } from '../dependencies.ts'
import { handOverReportsChore } from './hand-over-reports.ts'

/** Work of the api that comes round by itself. Every process of an installation does it, so it must bear being done twice. */
export interface Chore {
  name: string
  every_ms: number
  run: (dependencies: AppDependencies, now: number) => Promise<void>
}

/** Every chore. A new one is a file and a line here. */
export const CHORES: Chore[] = [handOverReportsChore]
