import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import { tierCovers } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'

/** The view of a person. Pages run the queries of the API with these tiers, and so show nothing that it would refuse. */
export interface Viewer {
  isSignedIn: boolean
  /** The tier of the account; `free` for everybody else. */
  tier: Tier
  /**
   * The tier of questions about an airport and its terminals, now, in the next 24 hours and in the 24 before; null if the
   * operator shows these figures to accounts alone.
   */
  currentTier: Tier | null
}

/** The lowest tier that always sees current waits. */
const LOWEST_TIER: Tier = 'pro'
/** Pages show the present with its terminals to whoever sees it at all: that a terminal is closed never depends on a plan. */
const CURRENT_TIER: Tier = 'enterprise'

export function viewerOf(
  { visitor }: Pick<FastifyRequest, 'visitor'>,
  { open_pages }: Pick<Settings, 'open_pages'>,
): Viewer {
  const tier = visitor?.tier ?? 'free'
  const seesCurrent = open_pages === 'airports' || tierCovers(tier, LOWEST_TIER)
  return { isSignedIn: visitor !== null, tier, currentTier: seesCurrent ? CURRENT_TIER : null }
}
