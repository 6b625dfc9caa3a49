/** One record of the authorization server, as its library stores them: clients, grants, codes, tokens, interactions. */
export interface OauthRecordRow {
  /** Kind of record, in the library's words. */
  model: string
  id: string
  /** JSON object. */
  payload: string
  grant_id: string | null
  uid: string | null
  user_code: string | null
  consumed_at: string | null
  expires_at: string | null
}

/** One MCP client that an account's owner has let in. Its access tokens name it, and the gate looks at it at each call. */
export interface ConnectionRow {
  /** The grant of the authorization server. */
  grant_id: string
  account_id: string
  client_id: string
  client_name: string
  redirect_uri: string
  created_at: string
  used_at: string | null
  revoked_at: string | null
}
