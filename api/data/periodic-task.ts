import type { AppDependencies } from './dependencies.ts'

/** Work of the api that comes round by itself. Every process of an installation does it, so it must bear being done twice. */
export interface PeriodicTask {
  name: string
  every_ms: number
  /** `stopping` fires when the process is to end: what can be left to another time then is. */
  run: (dependencies: AppDependencies, now: number, stopping?: AbortSignal) => Promise<void>
}
