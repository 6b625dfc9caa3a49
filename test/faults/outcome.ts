/** What became of one fault. */
export interface Outcome {
  kind: string
  /** What to repeat it with. */
  what: string
  /** Rows or accounts that were acknowledged and are neither there nor in quarantine. */
  lost: number
  /** Why it was not survived; empty when it was. */
  problems: string[]
  /** Until everything was served again. */
  healthyMs: number
}
