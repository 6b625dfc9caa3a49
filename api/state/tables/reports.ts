/** A traveller's report of a wait, on the disk before it is acknowledged. */
export interface WaitReportRow {
  id: string
  account_id: string
  iata: string
  /** security, immigration, checkin, customs, baggage, lounge, ees_kiosk */
  queue: string
  terminal: string | null
  lane: string | null
  wait_minutes: number
  observed_at: string
  filed_at: string
  /** accepted or held; held ones wait for others to agree. */
  status: string
  /** Why it is held. */
  reason: string | null
  /** When the pipeline had landed it; null until then. */
  landed_at: string | null
}
