import { z } from 'zod'
import { presentCode } from '../../airports/former-codes.ts'
import { evidence } from '../evidence.ts'
import type { BorderWaitFigure, BorderWaitPublisher, EesFact, SchengenState } from '../schengen.ts'
import type { SourceFolder } from './source-folder.ts'

const dated = { source: z.string(), as_of: z.string(), seen: z.string() }
const text = z.string().optional()

const File = z.object({
  rows: z.array(
    z.strictObject({
      iso: z.string(),
      name: z.string(),
      eu: z.boolean(),
      air_border_checks_ended: z.string().nullable(),
      land_border_checks_ended: text,
      stay_days_count_from: text,
      note: text,
      ...dated,
    }),
  ),
  not_schengen_eu: z.array(z.strictObject({ iso: z.string(), note: z.string(), ...dated, seen: text })),
  ees_timeline: z.array(z.strictObject({ date: z.string(), fact: z.string(), ...dated })),
  ees_waits: z.array(
    z.strictObject({
      iata: z.string().nullable(),
      place: z.string(),
      date: z.string().nullable(),
      kind: z.string(),
      min_minutes: z.number().nullish(),
      max_minutes: z.number().nullish(),
      fact: z.string(),
      ...dated,
      seconds_before: z.number().optional(),
      seconds_first_entry: z.number().optional(),
      seconds_later_entries: z.number().optional(),
    }),
  ),
  border_wait_publishers: z.array(
    z.strictObject({
      airports: z.array(z.string()),
      schengen: z.boolean(),
      publishes: z.string(),
      unit: z.string(),
      access: z.string().nullable(),
      note: z.string().nullable(),
      ...dated,
    }),
  ),
})

const fileOf = (from: SourceFolder) => File.parse(from.reference('schengen.json'))
const NAMES = { CY: 'Cyprus', IE: 'Ireland' } as Record<string, string>

export function importSchengenStates(from: SourceFolder): SchengenState[] {
  const { rows, not_schengen_eu } = fileOf(from)
  return [
    ...rows.map(({ iso, name, eu, air_border_checks_ended, note = null, source, as_of, ...row }) => ({
      country: iso,
      name,
      eu,
      member: true,
      air_border_checks_ended,
      land_border_checks_ended: row.land_border_checks_ended ?? null,
      days_count_from: row.stay_days_count_from ?? null,
      note,
      ...evidence(source, as_of),
    })),
    ...not_schengen_eu.map(({ iso, note, source, as_of }) => ({
      country: iso,
      name: NAMES[iso]!,
      eu: true,
      member: false,
      air_border_checks_ended: null,
      land_border_checks_ended: null,
      days_count_from: null,
      note,
      ...evidence(source, as_of),
    })),
  ]
}

export const importEesFacts = (from: SourceFolder): EesFact[] =>
  fileOf(from).ees_timeline.map(({ date, fact, source, as_of }) => ({ date, fact, ...evidence(source, as_of) }))

/** Waits in minutes. The time one traveller needs at the booth appears only in the text of the fact. */
export const importBorderWaitFigures = (from: SourceFolder): BorderWaitFigure[] =>
  fileOf(from).ees_waits.map(({ iata, place, date, kind, min_minutes = null, max_minutes = null, ...row }) => ({
    iata,
    place,
    date,
    kind,
    min_minutes,
    max_minutes,
    fact: row.fact,
    ...evidence(row.source, row.as_of),
  }))

export const importBorderWaitPublishers = (from: SourceFolder): BorderWaitPublisher[] =>
  fileOf(from).border_wait_publishers.map(({ source, as_of, seen: _seen, unit: _unit, airports, ...publisher }) => ({
    airports: airports.map(presentCode),
    ...publisher,
    ...evidence(source, as_of),
  }))
