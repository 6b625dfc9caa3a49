/** What became of one fault. */
export interface Outcome {
  kind: string
  /** What to repeat it with. */
  what: string
  /** Rows or accounts that were acknowledged and are no longer there. */
  lost: number
  /** Why it was not survived; empty when it was. */
  problems: string[]
  /** Until everything was served again. */
  healthyMs: number
}
