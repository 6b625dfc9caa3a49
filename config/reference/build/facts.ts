import { z } from 'zod'
import { airportDirectory } from '../../airports/directory.ts'
import { presentCode } from '../../airports/former-codes.ts'
import { CheckedBags } from '../bags.ts'
import { evidence } from '../evidence.ts'
import { ReferenceLounge } from '../lounges.ts'
import { MetroCode } from '../metro-codes.ts'
import { MishandledBags } from '../mishandled-bags.ts'
import { Peak } from '../peaks.ts'
import { RelatedServer } from '../related-servers.ts'
import { BorderWaitFigure, BorderWaitPublisher, EesFact, SchengenState } from '../schengen.ts'
import { ReferenceTerminal } from '../terminals.ts'
import { cautionFor } from './cautions.ts'
import type { SourceFolder } from './source-folder.ts'

/** A row of a file of `reference-data/`. */
type Raw = Record<string, unknown>

/** Fields of the files that are no facts: how a fact was found, and figures that have no column. */
const NO_FACTS = new Set([
  'seen',
  'sources',
  'last_probe',
  'unit',
  'seconds_before',
  'seconds_first_entry',
  'seconds_later_entries',
  'in_iata_multi_airport_list',
  'also',
  'also_as_of',
  'rate_per_1000_bags',
  'change_per_1000_vs_2023',
])

/**
 * The facts of a row by the columns of a schema, null or an empty list where the row has none, with the evidence that its `source` and `as_of` are.
 * @throws when the row has a field that is neither a column nor known to be no fact
 */
function factOf<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  caution: string | null = null,
): z.output<Schema> {
  return filled(schema, raw, caution) as z.output<Schema>
}

function filled(schema: z.ZodType, raw: unknown, caution: string | null): unknown {
  if (schema instanceof z.ZodNullable)
    return raw === undefined || raw === null ? null : filled(schema.unwrap() as z.ZodType, raw, caution)
  if (schema instanceof z.ZodArray)
    return ((raw ?? []) as unknown[]).map((element) => filled(schema.element as z.ZodType, element, null))
  if (!(schema instanceof z.ZodObject)) return raw
  const { source, as_of, ...fields } = raw as Raw
  const { shape } = schema as z.ZodObject
  const unknown = Object.keys(fields).filter((name) => !(name in shape) && !NO_FACTS.has(name))
  if (unknown.length > 0) throw new Error(`${JSON.stringify(raw)}: ${unknown.join(', ')} is not known`)
  const values = Object.entries(shape).map(([name, column]) => [name, filled(column as z.ZodType, fields[name], null)])
  return {
    ...Object.fromEntries(values),
    ...('caution' in shape && evidence(source as string, as_of as string | null, caution)),
  }
}

const rowsOf = (from: SourceFolder, file: string, list = 'rows') =>
  (from.reference(file) as Record<string, Raw[]>)[list]!

/** A plan of the time of the page behind the name of a terminal; the caution of its row says what became of it. */
const PLAN_IN_BRACKETS = / \((?:planned|emptied) .*\)$/

export const importTerminals = (from: SourceFolder) =>
  Object.entries(from.reference('terminals.json') as Record<string, { terminals: Raw[] }>).flatMap(
    ([iata, { terminals }]) =>
      terminals.map((row) => {
        const terminal = String(row['terminal']).replace(PLAN_IN_BRACKETS, '')
        const checkpoints = (row['checkpoints'] as Raw[]).map(({ name, ...rest }) => ({ ...rest, checkpoint: name }))
        const caution = cautionFor('terminals', `${iata} ${row['terminal']}`)
        return factOf(ReferenceTerminal, { ...row, iata, terminal, checkpoints }, caution)
      }),
  )

export const importLounges = (from: SourceFolder) =>
  Object.entries(from.reference('lounges.json') as Record<string, Raw[]>).flatMap(([iata, lounges]) =>
    lounges.map(({ name, ...row }) =>
      factOf(
        ReferenceLounge,
        { ...row, iata, lounge: name },
        cautionFor('lounges', `${iata} ${row['terminal'] ?? ''}`),
      ),
    ),
  )

export const importMetroCodes = (from: SourceFolder) =>
  rowsOf(from, 'metro-codes.json').map((row) => {
    const airports = (row['airports'] as Raw[])
      .map(({ name: _, ...airport }) => airport)
      // The other code of an airport is none of the directory: MLH of BSL.
      .filter(({ iata }) => airportDirectory().byIata.has(String(iata)))
    const fact = factOf(MetroCode, { ...row, airports })
    const also = row['also'] === null ? null : evidence(row['also'] as string, row['also_as_of'] as string | null)
    return { ...fact, credit: [fact.credit, also?.credit].filter(Boolean).join('; ') || null }
  })

export const importCheckedBags = (from: SourceFolder) =>
  rowsOf(from, 'checked-bags.json').map(({ cabin_facts_id, limits_source, limits_as_of, ...row }) => {
    const bagOf = (bag: unknown) => {
      const { kg, ...rest } = bag as Raw
      return { ...rest, weight_kg: kg }
    }
    const fares = (row['fares'] as Raw[]).map(({ first_bag, second_bag, ...fare }) => ({
      ...fare,
      first_bag: bagOf(first_bag),
      second_bag: second_bag ? bagOf(second_bag) : null,
    }))
    const limits_evidence = limits_source === null ? null : { source: limits_source, as_of: limits_as_of }
    return factOf(CheckedBags, { ...row, fares, cabin_id: cabin_facts_id, limits_evidence })
  })

interface BagTable {
  period: string
  scope?: string
  source: string
  rows: Partial<
    Record<'year' | 'enplaned' | 'enplanedMoreThan' | 'mishandled' | 'rate' | 'ratePer100', number> &
      Record<'carrier' | 'iata', string>
  >[]
}

const basisOf = (period: string) => (period < '2019' ? 'mixed' : 'bags')

/** The newer figures and the older tables together; rates per 1,000 bags are converted to 100 bags. */
export function importMishandledBags(from: SourceFolder) {
  const newer = rowsOf(from, 'mishandled-bags.json')
  const names = new Map(newer.map(({ iata, carrier }) => [iata, carrier]))
  const tables = from.sample('baggage-atcr/mishandled-baggage-tables.json') as BagTable[]
  return [
    ...newer.map(({ counts_rounded, note, ...row }) => {
      const period = row['period'] as string
      const more = {
        rate_basis: basisOf(period),
        enplaned_is_at_least: false,
        note: counts_rounded ? ['counts are rounded', note].filter(Boolean).join('; ') : note,
      }
      return factOf(
        MishandledBags,
        { ...row, ...more },
        cautionFor('mishandled-bags', `${row['iata'] ?? 'all'} ${period}`),
      )
    }),
    ...tables.flatMap(({ period: tablePeriod, scope = 'not stated', source, rows }) =>
      rows.map(({ year, iata = null, carrier, mishandled, ...row }) => {
        const period = year === undefined ? tablePeriod : String(year)
        const fact = {
          period,
          iata,
          carrier: carrier ?? names.get(iata) ?? iata ?? 'all',
          scope,
          rate_per_100_bags: row.ratePer100 ?? (row.rate === undefined ? null : Math.round(row.rate * 100) / 1000),
          rate_basis: basisOf(period),
          mishandled,
          enplaned: row.enplaned ?? row.enplanedMoreThan,
          enplaned_is_at_least: row.enplanedMoreThan !== undefined,
          source,
          as_of: /\((\d{4}-\d{2}-\d{2})\)/.exec(source)?.[1] ?? null,
        }
        return factOf(MishandledBags, fact, cautionFor('mishandled-bags', `${iata} ${period}`))
      }),
    ),
  ]
}

export const importPeaks = (from: SourceFolder) =>
  rowsOf(from, 'peaks.json').map(({ derived, derivation, ...row }) => {
    if (derived && !derivation) throw new Error(`${row['name']}: derived without a derivation`)
    return factOf(Peak, { ...row, derived: derivation, facts: row['facts'] ?? {} })
  })

export const importRelatedServers = (from: SourceFolder) =>
  rowsOf(from, 'related-servers.json').map((row) => factOf(RelatedServer, row))

const NAMES: Record<string, string> = { CY: 'Cyprus', IE: 'Ireland' }

export const importSchengenStates = (from: SourceFolder) => [
  ...rowsOf(from, 'schengen.json').map(({ iso, stay_days_count_from, ...row }) =>
    factOf(SchengenState, { ...row, country: iso, member: true, days_count_from: stay_days_count_from }),
  ),
  ...rowsOf(from, 'schengen.json', 'not_schengen_eu').map(({ iso, ...row }) =>
    factOf(SchengenState, { ...row, country: iso, name: NAMES[iso as string], eu: true, member: false }),
  ),
]

export const importEesFacts = (from: SourceFolder) =>
  rowsOf(from, 'schengen.json', 'ees_timeline').map((row) => factOf(EesFact, row))

/** Waits in minutes. The time one traveller needs at the booth appears only in the text of the fact. */
export const importBorderWaitFigures = (from: SourceFolder) =>
  rowsOf(from, 'schengen.json', 'ees_waits').map((row) => factOf(BorderWaitFigure, row))

export const importBorderWaitPublishers = (from: SourceFolder) =>
  rowsOf(from, 'schengen.json', 'border_wait_publishers').map((row) =>
    factOf(BorderWaitPublisher, { ...row, airports: (row['airports'] as string[]).map(presentCode) }),
  )
