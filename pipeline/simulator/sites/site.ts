import type { IncomingHttpHeaders } from 'node:http'
import type { World } from '../world.ts'

/** A request as a site sees it: the host it was meant for, and the path on that host. */
export interface SiteRequest {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface SiteAnswer {
  status: number
  type: string
  body: string
}

/** What a site knows when it answers. */
export interface Stage {
  world: World
  /** The instant its clock shows, epoch milliseconds. */
  now: number
  /** The key and version that a mobi host accepts now. */
  keysOf: (host: string) => { key: string; version: string }
}

/** One or several hosts of the simulated internet. `answer` gives null for an address it does not have. */
export interface Site {
  hosts: string[]
  /** Lines of robots.txt besides the one that allows everything. */
  robots?: string[]
  answer: (request: SiteRequest, stage: Stage) => SiteAnswer | null
}

export const json = (value: unknown, status = 200): SiteAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

export const html = (body: string): SiteAnswer => ({ status: 200, type: 'text/html; charset=utf-8', body })

export const text = (body: string, status = 200, type = 'text/plain; charset=utf-8'): SiteAnswer => ({
  status,
  type,
  body,
})

/** Start of the running minute: sites publish once a minute, and what they publish is as old as that. */
export const minuteOf = (ms: number): number => Math.floor(ms / 60_000) * 60_000

export const escapeHtml = (words: string): string =>
  words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/'/g, '&#039;')
