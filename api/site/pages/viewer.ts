import type { FastifyRequest } from 'fastify'
import type { Tier } from '../../../config/domain.ts'
import type { Settings } from '../../../config/settings.ts'
import { tierCovers } from '../../../config/tiers.ts'

/** What a person may see. Pages run the queries of the API with these tiers, and so show nothing that it would refuse. */
export interface Viewer {
  isSignedIn: boolean
  /** The tier of the account; `free` for everybody else. */
  tier: Tier
  /**
   * The tier that questions about an airport as a whole, now, in the next 24 hours and in the 24 before are asked with; null
   * where the operator shows these figures to accounts alone.
   */
  currentTier: Tier | null
}

/** The lowest tier whose answers are an airport as a whole, now and the next 24 hours: what is open to everybody. */
const OPEN_TIER: Tier = 'pro'

export function viewerOf(
  { visitor }: Pick<FastifyRequest, 'visitor'>,
  { open_pages }: Pick<Settings, 'open_pages'>,
): Viewer {
  const tier = visitor?.tier ?? 'free'
  const hasOwn = tierCovers(tier, OPEN_TIER)
  const open = open_pages === 'airports' ? OPEN_TIER : null
  return { isSignedIn: visitor !== null, tier, currentTier: hasOwn ? tier : open }
}
