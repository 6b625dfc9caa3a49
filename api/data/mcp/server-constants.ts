import type { Implementation } from '@modelcontextprotocol/server'

/** The server's name and version: in the answer to `initialize` and, since protocol 2026-07-28, in every result. */
export const SERVER_INFO: Implementation = { name: 'holdshort', title: 'Holdshort', version: '1.0.0' }
