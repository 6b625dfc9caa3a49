import type { Settings } from '../../config/settings.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { simulatedSources } from '../../pipeline/simulator/simulated-sources.ts'

/** The sources of an installation: the whole catalogue, or in the demo the sources that are simulated. */
export function sourcesOf(settings: Settings): readonly Source[] {
  return settings.simulated_world ? simulatedSources(allSources()) : allSources()
}
