import type { Source } from '../../config/sources.ts'
import { SITES } from './sites/index.ts'

const HOSTS = new Set(SITES.flatMap(({ hosts }) => hosts))

/** The map's site is on this machine there: what is spread over a month to spare its real hosts comes within hours. */
const MAP_SECONDS = 60

/** The sources that the simulated world has a site for; the others do not exist there. */
export function simulatedSources(sources: readonly Source[]): Source[] {
  return sources
    .filter((source) => HOSTS.has(new URL(source.url).host))
    .map((source) => (source.kind === 'places' ? { ...source, cadence_seconds: MAP_SECONDS } : source))
}
