/** A traveller's report of a wait, on the disk before it is acknowledged. */
export interface WaitReportRow {
  id: string
  account_id: string
  iata: string
  /** One of `QueueKind`. */
  queue: string
  terminal: string | null
  lane: string | null
  wait_minutes: number
  observed_at: string
  filed_at: string
  /** accepted; held: waits for another account to agree; replaced: its account has said otherwise since. */
  status: string
  /** Why it is held; null otherwise. */
  reason: string | null
  /** When the pipeline had landed it; null until then. */
  landed_at: string | null
}
