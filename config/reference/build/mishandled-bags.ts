import { z } from 'zod'
import { evidence } from '../evidence.ts'
import type { MishandledBags } from '../mishandled-bags.ts'
import { cautionFor } from './cautions.ts'
import type { SourceFolder } from './source-folder.ts'

const number = z.number().optional()
const Rows = z.object({
  rows: z.array(
    z.strictObject({
      period: z.string(),
      iata: z.string().nullable(),
      carrier: z.string(),
      scope: z.string(),
      rate_per_100_bags: number,
      rate_per_1000_bags: number,
      mishandled: number,
      enplaned: number,
      rank_from_best: number,
      rank_from_worst: number,
      change_per_1000_vs_2023: number,
      counts_rounded: z.boolean().optional(),
      note: z.string().optional(),
      seen: z.string(),
      source: z.string(),
      as_of: z.string(),
    }),
  ),
})

const Tables = z.array(
  z.object({
    period: z.string(),
    scope: z.string().optional(),
    unit: z.string(),
    source: z.string(),
    rows: z.array(
      z.object({
        carrier: z.string().optional(),
        iata: z.string().optional(),
        year: z.number().optional(),
        enplaned: number,
        enplanedMoreThan: number,
        mishandled: number,
        rate: number,
        ratePer100: number,
      }),
    ),
  }),
)

/** The newer figures and the older tables together; rates per 1,000 bags are converted to 100 bags. */
export function importMishandledBags(from: SourceFolder): MishandledBags[] {
  const newer = Rows.parse(from.reference('mishandled-bags.json')).rows
  const names = new Map(newer.map(({ iata, carrier }) => [iata, carrier]))
  const older = Tables.parse(from.sample('baggage-atcr/mishandled-baggage-tables.json'))
  return [
    ...newer.map(({ period, iata, carrier, scope, note = null, counts_rounded, source, as_of, ...row }) => ({
      period,
      iata,
      carrier,
      scope,
      rate_per_100_bags: row.rate_per_100_bags ?? null,
      rate_basis: basisOf(period),
      mishandled: row.mishandled ?? null,
      enplaned: row.enplaned ?? null,
      enplaned_is_at_least: false,
      rank_from_best: row.rank_from_best ?? null,
      rank_from_worst: row.rank_from_worst ?? null,
      note: counts_rounded ? ['counts are rounded', note].filter(Boolean).join('; ') : note,
      ...evidence(source, as_of, cautionFor('mishandled-bags', `${iata ?? 'all'} ${period}`)),
    })),
    ...older.flatMap(({ period, scope = 'not stated', source, rows }) =>
      rows.map((row) => {
        const when = row.year === undefined ? period : String(row.year)
        const iata = row.iata ?? null
        const per100 = row.ratePer100 ?? (row.rate === undefined ? null : Math.round(row.rate * 100) / 1000)
        return {
          period: when,
          iata,
          carrier: row.carrier ?? names.get(iata) ?? iata ?? 'all',
          scope,
          rate_per_100_bags: per100,
          rate_basis: basisOf(when),
          mishandled: row.mishandled ?? null,
          enplaned: row.enplaned ?? row.enplanedMoreThan ?? null,
          enplaned_is_at_least: row.enplanedMoreThan !== undefined,
          rank_from_best: null,
          rank_from_worst: null,
          note: null,
          ...evidence(
            source,
            /\((\d{4}-\d{2}-\d{2})\)/.exec(source)?.[1] ?? null,
            cautionFor('mishandled-bags', `${iata} ${when}`),
          ),
        }
      }),
    ),
  ]
}

const basisOf = (period: string) => (period < '2019' ? ('mixed' as const) : ('bags' as const))
