import { z } from 'zod'
import { evidence } from '../evidence.ts'
import type { ReferenceLounge } from '../lounges.ts'
import type { MetroCode } from '../metro-codes.ts'
import type { ReferenceTerminal } from '../terminals.ts'
import { cautionFor } from './cautions.ts'
import type { SourceFolder } from './source-folder.ts'

const texts = z.array(z.string())
const dated = { source: z.string(), as_of: z.string().nullable() }

const Terminals = z.record(
  z.string(),
  z.strictObject({
    terminals: z.array(
      z.strictObject({
        terminal: z.string(),
        airlines: texts,
        checkpoints: z.array(z.strictObject({ name: z.string(), lanes: texts, hours: z.null(), ...dated })),
        note: z.string().optional(),
        ...dated,
      }),
    ),
  }),
)

export function importTerminals(from: SourceFolder): ReferenceTerminal[] {
  return Object.entries(Terminals.parse(from.reference('terminals.json'))).flatMap(([iata, { terminals }]) =>
    terminals.map(({ terminal, airlines, checkpoints, note = null, source, as_of }) => ({
      iata,
      terminal,
      airlines,
      checkpoints: checkpoints.map(({ name, lanes, hours, ...from }) => ({
        checkpoint: name,
        lanes,
        hours,
        ...evidence(from.source, from.as_of),
      })),
      note,
      ...evidence(source, as_of, cautionFor('terminals', `${iata} ${terminal}`)),
    })),
  )
}

const Lounges = z.record(
  z.string(),
  z.array(
    z.strictObject({
      name: z.string(),
      operator: z.string().nullable(),
      terminal: z.string().nullable(),
      near_gate: z.string().nullable(),
      airside: z.boolean().nullable(),
      access: z.strictObject({
        ticket: texts,
        status: texts,
        cards: texts,
        programmes: texts,
        day_pass: z.string().nullable(),
      }),
      amenities: texts,
      hours: z.string().nullable(),
      note: z.string().optional(),
      more_sources: texts.optional(),
      ...dated,
    }),
  ),
)

export function importLounges(from: SourceFolder): ReferenceLounge[] {
  return Object.entries(Lounges.parse(from.reference('lounges.json'))).flatMap(([iata, lounges]) =>
    lounges.map(({ name, note = null, more_sources = [], source, as_of, ...rest }) => ({
      iata,
      lounge: name,
      ...rest,
      note,
      more_sources,
      ...evidence(source, as_of, cautionFor('lounges', `${iata} ${rest.terminal ?? ''}`)),
    })),
  )
}

const MetroCodes = z.object({
  rows: z.array(
    z.strictObject({
      metro: z.string(),
      name: z.string(),
      country: z.string(),
      airports: z.array(
        z.strictObject({
          iata: z.string(),
          name: z.string(),
          in_lists: texts,
          traffic_rank: z.number().nullable(),
        }),
      ),
      code_is_also_an_airport: z.boolean(),
      in_iata_multi_airport_list: z.boolean(),
      also: z.string().nullable(),
      also_as_of: z.string().nullable(),
      seen: z.string(),
      ...dated,
    }),
  ),
})

export function importMetroCodes(from: SourceFolder): MetroCode[] {
  return MetroCodes.parse(from.reference('metro-codes.json')).rows.map((row) => {
    const { metro, name, country, code_is_also_an_airport, airports, source, as_of, also } = row
    const first = evidence(source, as_of)
    const second = also === null ? null : evidence(also, row.also_as_of)
    return {
      metro,
      name,
      country,
      code_is_also_an_airport,
      airports: airports.map(({ iata, traffic_rank, in_lists }) => ({ iata, traffic_rank, in_lists })),
      ...first,
      credit: [first.credit, second?.credit].filter(Boolean).join('; ') || null,
    }
  })
}
