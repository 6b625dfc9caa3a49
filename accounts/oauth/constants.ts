import { DAY_MS } from '../../config/vocabulary.ts'

/** The only scope: reading, as the account can with a key. */
export const SCOPE = 'read'

/** Lifetimes in the authorization server, in seconds. */
export const SECONDS = {
  /** Short, because a copied access token cannot be called back; the gate also checks the connection on each call. */
  access_token: 600,
  code: 60,
  /** From the start of a request to its approval; long enough to sign up meanwhile. */
  request: 3_600,
  /** From the click on Approve until the browser has returned to the authorization server. */
  approval: 60,
  /** A refresh token is renewed at each use; a client unused for this long must be approved again. */
  refresh_token: 30 * 86_400,
  /** A used refresh token is accepted again for this long: its answer was lost, or two sessions of a client share it. */
  refresh_overlap: 30,
  /** After this long a connection must be approved again, however often it was used. */
  grant: 365 * 86_400,
} as const

/** The lifetimes of the records of the library, by its names of them, in seconds. */
export const LIFETIMES = {
  AccessToken: SECONDS.access_token,
  AuthorizationCode: SECONDS.code,
  Grant: SECONDS.grant,
  Interaction: SECONDS.request,
  RefreshToken: SECONDS.refresh_token,
  Session: SECONDS.request,
} as const

/** A registered client that nobody has approved is deleted after this long. */
export const UNAPPROVED_CLIENT_MS = DAY_MS
/** An approved client is deleted when it has not requested a token for this long. */
export const UNUSED_CLIENT_MS = 90 * DAY_MS

/** Paths of the authorization server. */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  jwks: '/jwks',
  revocation: '/revoke',
} as const
