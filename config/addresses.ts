import { hostInUrl, type Settings } from './settings.ts'

/** The public addresses; all have the same origin unless set separately. */
export function addresses(settings: Settings) {
  const site = settings.site_url ?? `http://${hostInUrl(settings.host)}:${settings.port}`
  return {
    site_url: site,
    base_url: `${site}/api/v1`,
    mcp_url: settings.mcp_url ?? site,
    auth_url: settings.auth_url ?? settings.mcp_url ?? site,
  }
}

/** The public addresses of the service, without a trailing slash. */
export type Addresses = ReturnType<typeof addresses>
