import type { Source } from '../../config/sources.ts'
import { SITES } from './sites/index.ts'

const HOSTS = new Set(SITES.flatMap(({ hosts }) => hosts))

/** Cadence of sources requested airport by airport: its simulated site runs on this machine, so it need not be spared as the real hosts are. */
const ROTATION_CADENCE_SECONDS = 60

/** The sources that have a site in the simulated world; the others do not exist there. */
export function simulatedSources(sources: readonly Source[]): Source[] {
  return sources
    .filter((source) => HOSTS.has(new URL(source.url).host))
    .map((source) => (isRotation(source) ? { ...source, cadence_seconds: ROTATION_CADENCE_SECONDS } : source))
}

const isRotation = ({ kind }: Source) => kind === 'places' || kind === 'zones'
