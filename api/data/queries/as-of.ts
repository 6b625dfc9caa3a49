import { z } from 'zod'
import { DAY_MS, isoUtc, UtcInstant } from '../../../config/domain.ts'
import { ParameterError, PremiumRequiredError } from '../../../config/errors.ts'
import { TIERS, tierCovers } from '../../../config/tiers.ts'
import { type ArchiveAnswerTo, type ArchiveRequest, archiveCall, callArchive } from '../../../jobs/calls/archive.ts'
import { unavailable } from '../../../jobs/calls/define-call.ts'
import type { ArchiveContext } from './define.ts'

/** The parameter of questions that can be answered as they would have been in the past. */
export const asOf = z.iso
  .datetime({ offset: true, error: 'must be an instant with Z or an offset (its + as %2B), like 2026-11-20T14:00:00Z' })
  .optional()
  .describe('Answer as it stood at this past instant.')
  .meta({ examples: ['2026-11-20T14:00:00Z'] })

/** The same in the answer; to the millisecond, since a vintage may lie between. */
export const asOfTold = UtcInstant.optional().describe('The instant that was asked for; absent without `as_of`.')

/** What the descriptions tell of how far back it may lie. */
export const AS_OF_REACH = `Pro: up to ${TIERS.pro.history_days} days back; Enterprise: as far as is kept`

/** Which figures are asked for, and the setting that says how long they are kept. */
const KEPT = { forecasts: 'forecasts_days', history: 'rollups_days' } as const

const fault = (message: string) => new ParameterError([{ parameter: 'as_of', message }])

/**
 * The instant that `as_of` means, epoch ms, where the tier may look back so far and so much is kept.
 * @throws ParameterError for the future or what is kept no more; PremiumRequiredError for more than the tier's days of history
 */
export function pastInstant(
  as_of: string,
  what: keyof typeof KEPT,
  { now, tier, settings }: Pick<ArchiveContext, 'now' | 'tier' | 'settings'>,
): number {
  const instant = Date.parse(as_of)
  const days = settings[KEPT[what]]
  const oldest = now - days * DAY_MS
  if (instant > now) throw fault(`must not lie in the future: it is ${isoUtc(now)}`)
  if (instant < oldest) throw tooOld(isoUtc(oldest), `${what} kept: ${days} days`)
  const { history_days } = TIERS[tier]
  if (!tierCovers(tier, 'enterprise') && instant < now - history_days * DAY_MS)
    throw new PremiumRequiredError('enterprise', `as_of more than ${history_days} days back needs Enterprise`)
  return instant
}

/** The refusal of an instant before what is kept. */
export function tooOld(oldest: string, kept: string): ParameterError {
  return fault(`must not lie before ${oldest} (${kept})`)
}

/** Asks the pipeline a question about the past. @throws HoldshortError ARCHIVE_UNAVAILABLE */
export function askArchive<R extends ArchiveRequest>(
  request: R,
  { pipelineClient, signal }: Pick<ArchiveContext, 'pipelineClient' | 'signal'>,
): Promise<ArchiveAnswerTo<R>> {
  if (!pipelineClient) throw unavailable(archiveCall, 'is not running')
  return callArchive(pipelineClient, request, { signal })
}
