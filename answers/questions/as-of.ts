import { z } from 'zod'
import { DAY_MS, isoUtc, UtcInstant } from '../../config/domain.ts'
import { ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { TIERS, tierCovers } from '../../config/tiers.ts'
import { type ArchiveAnswerTo, type ArchiveRequest, archiveCall, callArchive } from '../../jobs/calls/archive.ts'
import { unavailable } from '../../jobs/calls/define-call.ts'
import type { ArchiveContext } from './define.ts'

/** The instant of `as_of` in the form of RFC 3339: generated Python clients write an offset without its colon, `+0000`. */
const rfc3339 = (as_of: string) => as_of.replace(/(T.*[+-]\d\d)(\d\d)$/, '$1:$2')

const Rfc3339 = z.iso.datetime({ offset: true })

/** Epoch ms of an instant that `asOfParameter` has accepted. */
export const asOfMs = (as_of: string): number => Date.parse(rfc3339(as_of))

/** The parameter `as_of`: the answer as it stood at an instant of the past. */
export const asOfParameter = z
  .string()
  .refine((as_of) => Rfc3339.safeParse(rfc3339(as_of)).success, {
    error: 'must be an instant with Z or an offset (its + as %2B), like 2026-11-20T14:00:00Z',
  })
  .meta({ format: 'date-time', examples: ['2026-11-20T14:00:00Z'] })
  .optional()
  .describe('Answer as it stood at this past instant.')

/** The field `as_of` of an answer, in milliseconds because a forecast may have been issued within the second. */
export const asOfField = UtcInstant.optional().describe('The requested instant; absent without `as_of`.')

/** How far back `as_of` may lie, for the descriptions. */
export const AS_OF_LIMITS = `Pro: up to ${TIERS.pro.history_days} days back; Enterprise: as far as data is kept`

/** The settings that say how long each kind of figures is kept. */
const RETENTION_SETTINGS = { forecasts: 'forecasts_days', history: 'rollups_days' } as const

const asOfError = (message: string) => ParameterError.of('as_of', message)

/**
 * Parses `as_of` to epoch ms and checks it against the tier and the retention of the figures.
 * @throws ParameterError for an instant in the future or before the retention; PremiumRequiredError for an instant before the tier's days of history
 */
export function parseAsOf(
  as_of: string,
  figures: keyof typeof RETENTION_SETTINGS,
  { now, tier, settings }: Pick<ArchiveContext, 'now' | 'tier' | 'settings'>,
): number {
  const instant = asOfMs(as_of)
  const retentionDays = settings[RETENTION_SETTINGS[figures]]
  const oldest = now - retentionDays * DAY_MS
  if (instant > now) throw asOfError(`must not lie in the future: it is ${isoUtc(now)}`)
  if (instant < oldest) throw asOfTooOld(isoUtc(oldest), `${figures} kept: ${retentionDays} days`)
  const { history_days } = TIERS[tier]
  if (!tierCovers(tier, 'enterprise') && instant < now - history_days * DAY_MS)
    throw new PremiumRequiredError('enterprise', `as_of more than ${history_days} days back needs Enterprise`)
  return instant
}

/** The error for an `as_of` before the oldest kept figure. */
export function asOfTooOld(oldest: string, reason: string): ParameterError {
  return asOfError(`must not lie before ${oldest} (${reason})`)
}

/** Requests a forecast or history of the past from the pipeline. @throws HoldshortError ARCHIVE_UNAVAILABLE */
export function requestArchive<R extends ArchiveRequest>(
  request: R,
  { pipelineClient, signal }: Pick<ArchiveContext, 'pipelineClient' | 'signal'>,
): Promise<ArchiveAnswerTo<R>> {
  if (!pipelineClient) throw unavailable(archiveCall, 'is not running')
  return callArchive(pipelineClient, request, { signal })
}
