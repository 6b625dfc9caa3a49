import { DAY_MS } from '../../../config/domain.ts'

/** The one thing that a client may be let do: read, as the account would with a key. */
export const SCOPE = 'read'

/** How long each thing of the authorization server lives, in seconds. */
export const SECONDS = {
  /** Short, although the gate looks at the connection too: an access token cannot be called back from where it was copied to. */
  access_token: 600,
  code: 60,
  /** From the begin of a request to its approval: time to sign up, too. */
  request: 3_600,
  /** From the click on Approve until the browser is back at the authorization server. */
  approval: 60,
  /** A refresh token is renewed at each use; a client that is silent for so long must ask again. */
  refresh_token: 30 * 86_400,
  /** After so long a connection must be approved again, however much it was used. */
  grant: 365 * 86_400,
} as const

/** A registered client that nobody has approved is dropped after this long. */
export const UNAPPROVED_CLIENT_MS = DAY_MS
/** One that was approved, when it has not asked for a token for this long. */
export const UNUSED_CLIENT_MS = 90 * DAY_MS

/** Paths of the authorization server. */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  jwks: '/jwks',
  revocation: '/revoke',
} as const
