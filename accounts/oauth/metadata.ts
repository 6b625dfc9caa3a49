import type { FastifyRequest } from 'fastify'
import { ROUTES, SCOPE } from './constants.ts'

/** The metadata of the authorization server (RFC 8414). */
export function serverMetadata(auth_url: string, site_url: string) {
  return {
    issuer: auth_url,
    authorization_endpoint: auth_url + ROUTES.authorization,
    token_endpoint: auth_url + ROUTES.token,
    registration_endpoint: auth_url + ROUTES.registration,
    revocation_endpoint: auth_url + ROUTES.revocation,
    jwks_uri: auth_url + ROUTES.jwks,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${site_url}/llms.txt`,
  }
}

/** The WWW-Authenticate header of a 401 of the MCP server: its metadata, and an error if the client sent a credential. */
export function mcpChallenge({ headers }: FastifyRequest, mcp_url: string): string {
  const hasCredential = headers.authorization !== undefined || headers['x-api-key'] !== undefined
  const error = hasCredential
    ? 'error="invalid_token", error_description="expired, revoked or not for this server", '
    : ''
  // RFC 9728 §3.1: the path of the resource is appended to the well-known path.
  const metadata = `${new URL(mcp_url).origin}/.well-known/oauth-protected-resource/mcp`
  return `Bearer realm="holdshort", ${error}scope="${SCOPE}", resource_metadata="${metadata}"`
}
