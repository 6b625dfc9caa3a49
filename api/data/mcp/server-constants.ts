import type { Implementation } from '@modelcontextprotocol/server'

/** Who answers, as told in the handshake and, since 2026-07-28, in every result. */
export const SERVER_INFO: Implementation = { name: 'holdshort', title: 'Holdshort', version: '1.0.0' }
