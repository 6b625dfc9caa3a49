import type { Implementation } from '@modelcontextprotocol/server'

/** Who answers, as told in the handshake and, since 2026-07-28, in every result. */
export const IDENTITY: Implementation = { name: 'holdshort', title: 'Holdshort', version: '1.0.0' }

/** How long clients of 2026-07-28 may keep the listing: it changes with a new version of the service, and is the same for all. */
export const LISTING_CACHE = { ttlMs: 600_000, cacheScope: 'public' } as const
