import type { Source } from '../../config/sources.ts'
import type { LearnRecipe, PageRecipe, SourceRequest } from '../parsing/collector.ts'
import type { Circuits } from './circuits.ts'
import type { FetchedBody, Validators } from './http-client.ts'

/** The two ways into the world, as `collect` uses them. */
export interface Transport {
  fetch: (request: SourceRequest, source: Source, previous: Validators | null) => Promise<FetchedBody>
  /** Opens a page in a browser and returns its HTML after scripts have run. */
  openPage: (request: SourceRequest, source: Source, recipe: PageRecipe) => Promise<FetchedBody>
  /** Which sources are left in peace; both doors keep to it. */
  circuits: Circuits
  /** Reads values that the site shows to its own browser. */
  learn: (source: Source, recipe: LearnRecipe) => Promise<Record<string, string>>
}
