/** A person who signs in; one to an account. */
export interface PersonRow {
  id: string
  account_id: string
  /** In lower case. */
  email: string
  /** Argon2id, PHC string; null for a person with passkeys only. */
  password_hash: string | null
  created_at: string
}

/** One passkey (WebAuthn credential). */
export interface PasskeyRow {
  /** Credential id, base64url. */
  id: string
  person_id: string
  /** COSE public key, base64url. */
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  name: string
  created_at: string
  used_at: string | null
}

/** One browser that is signed in. */
export interface SessionRow {
  /** Keyed hash of the cookie. */
  hash: string
  person_id: string
  created_at: string
  seen_at: string
  expires_at: string
  source: string
  user_agent: string | null
}

/** One failed sign-in, under the keyed hash of the email or of the network it came from: what the limits count. */
export interface SignInFailureRow {
  id: string
  /** Empty in the row that is called as the subject itself, by which tries at once wait for each other. */
  subject_hash: string
  failed_at: string
}

/** What a browser may bring only once: a link to sign in by, or a WebAuthn challenge, kept from when it was answered. */
export interface ChallengeRow {
  /** Keyed hash of what the browser brings. */
  hash: string
  /** `sign-in-link` until it is used; `spent` for a challenge that was answered. */
  kind: string
  /** JSON object. */
  payload: string
  expires_at: string
}
