/** A browser that takes push messages for an account (Push API). */
export interface PushSubscriptionRow {
  id: string
  account_id: string
  endpoint: string
  /** The browser's public key and secret, base64url, which messages are encrypted for. */
  p256dh: string
  auth: string
  /** What the owner will know it by. */
  label: string
  created_at: string
  delivered_at: string | null
}

/** Tell me when the security wait of an airport rises above, or falls below, so many minutes. */
export interface AlertRow {
  id: string
  account_id: string
  iata: string
  terminal: string | null
  direction: 'above' | 'below'
  threshold_minutes: number
  /** Local times of the airport, HH:MM, between which nothing is sent; null for none. */
  quiet_from: string | null
  quiet_to: string | null
  created_at: string
  expires_at: string
  /** armed: waits for the crossing; fired: waits for the wait to come back by the hysteresis. */
  state: 'armed' | 'fired'
  fired_at: string | null
}

/** One message on its way to one browser. */
export interface DeliveryRow {
  id: string
  alert_id: string
  subscription_id: string
  /** JSON of what is shown. */
  payload: string
  created_at: string
  due_at: string
  attempts: number
  /** waiting, sent, dropped */
  state: string
  error: string | null
}
