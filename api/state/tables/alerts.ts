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
  /** When it last fired. */
  fired_at: string | null
  /** When the snapshot was made that the state was last changed by: one that is no newer changes nothing. */
  as_of: string | null
}

/** One message on its way to one browser. */
export interface DeliveryRow {
  id: string
  /** Null for a test that the owner asked for. */
  alert_id: string | null
  subscription_id: string
  /** JSON of what is shown. */
  payload: string
  created_at: string
  /** When it may be tried next. Who tries moves it ahead of itself first, and nobody else tries until then. */
  due_at: string
  /** From when on it is no news and is dropped, or its alert's quiet hours have begun. */
  expires_at: string
  attempts: number
  state: 'waiting' | 'sent' | 'dropped'
  /** Why it was not sent yet, or never will be. */
  error: string | null
}
