import type { Source } from '../../config/sources.ts'
import { SITES } from './sites/index.ts'

const HOSTS = new Set(SITES.flatMap(({ hosts }) => hosts))

/** The sources that the simulated world has a site for; the others do not exist there. */
export function simulatedSources(sources: readonly Source[]): Source[] {
  return sources.filter((source) => HOSTS.has(new URL(source.url).host))
}
