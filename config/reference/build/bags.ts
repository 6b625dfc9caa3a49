import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { CabinBags, CheckedBags } from '../bags.ts'
import { evidence } from '../evidence.ts'
import { cautionFor } from './cautions.ts'
import type { SourceFolder } from './source-folder.ts'

const number = z.number().optional()
const text = z.string().optional()
const money = {
  currency: text,
  price: number,
  price_min: number,
  price_max: number,
  prepaid: number,
  at_airport: number,
}
const dated = { source: z.string(), as_of: z.string() }

const Bag = z.strictObject({ included: z.boolean(), ...money, kg: number, pieces: number, note: text })
const Checked = z.object({
  rows: z.array(
    z.strictObject({
      iata: z.string(),
      airline: z.string(),
      status: z.string(),
      cabin_facts_id: z.string(),
      seen: z.string(),
      confidence: z.enum(['high', 'medium', 'low']),
      fares: z.array(
        z.strictObject({
          scope: z.string(),
          fare: z.string(),
          first_bag: Bag,
          second_bag: Bag.nullable().optional(),
          effective_from: text,
          note: text,
          ...dated,
        }),
      ),
      weight_kg: z.number().nullable(),
      linear_cm: z.number().nullable(),
      limits_source: z.string().nullable(),
      limits_as_of: z.string().nullable(),
      overweight: z.array(
        z.strictObject({
          over_kg: z.number().nullish(),
          to_kg: z.number().nullish(),
          over_cm: number,
          to_cm: number,
          unit: text,
          currency: z.string(),
          price: number,
          price_min: number,
          price_max: number,
          note: text,
          ...dated,
        }),
      ),
      cabin_addition: z
        .strictObject({
          carry_on_cm: z.array(z.number()).optional(),
          carry_on_kg: number,
          personal_item: text,
          personal_item_cm: z.array(z.number()).optional(),
          ...dated,
        })
        .optional(),
      notes: z.array(z.string()).optional(),
      sources: z.array(z.object(dated)),
      ...dated,
    }),
  ),
})

const orNull = <T>(value: T | null | undefined): T | null => value ?? null

function bagOf({ included, pieces, kg, note, ...rest }: z.infer<typeof Bag>) {
  const { currency, price, price_min, price_max, prepaid, at_airport } = rest
  return {
    included,
    pieces: orNull(pieces),
    weight_kg: orNull(kg),
    currency: orNull(currency),
    price: orNull(price),
    price_min: orNull(price_min),
    price_max: orNull(price_max),
    prepaid: orNull(prepaid),
    at_airport: orNull(at_airport),
    note: orNull(note),
  }
}

export function importCheckedBags(from: SourceFolder): CheckedBags[] {
  return Checked.parse(from.reference('checked-bags.json')).rows.map((row) => {
    const { iata, airline, status, confidence, weight_kg, linear_cm, limits_source, limits_as_of, notes = [] } = row
    return {
      iata,
      airline,
      status,
      confidence,
      weight_kg,
      linear_cm,
      cabin_id: row.cabin_facts_id,
      notes,
      fares: row.fares.map(({ scope, fare, first_bag, second_bag, effective_from, note, source, as_of }) => ({
        scope,
        fare,
        first_bag: bagOf(first_bag),
        second_bag: second_bag ? bagOf(second_bag) : null,
        effective_from: orNull(effective_from),
        note: orNull(note),
        ...evidence(source, as_of),
      })),
      limits_evidence: limits_source === null ? null : evidence(limits_source, limits_as_of),
      overweight: row.overweight.map(({ source, as_of, currency, ...step }) => ({
        over_kg: orNull(step.over_kg),
        to_kg: orNull(step.to_kg),
        over_cm: orNull(step.over_cm),
        to_cm: orNull(step.to_cm),
        unit: orNull(step.unit),
        currency,
        price: orNull(step.price),
        price_min: orNull(step.price_min),
        price_max: orNull(step.price_max),
        note: orNull(step.note),
        ...evidence(source, as_of),
      })),
      cabin_addition: row.cabin_addition
        ? {
            carry_on_cm: orNull(row.cabin_addition.carry_on_cm),
            carry_on_kg: orNull(row.cabin_addition.carry_on_kg),
            personal_item_cm: orNull(row.cabin_addition.personal_item_cm),
            personal_item: orNull(row.cabin_addition.personal_item),
            ...evidence(row.cabin_addition.source, row.cabin_addition.as_of),
          }
        : null,
    }
  })
}

const Piece = z.strictObject({
  dimensions: z
    .strictObject({
      centimeters: z.union([z.array(z.number()), z.number()]).optional(),
      inches: z.union([z.array(z.number()), z.number()]).optional(),
    })
    .optional(),
  weight: z.strictObject({ kilograms: number, pounds: number }).optional(),
  isExtra: z.boolean().optional(),
})
const Cabin = z.object({
  asOf: z.string(),
  source: z.string(),
  rows: z.array(
    z.strictObject({
      id: z.string(),
      airline: z.string(),
      region: z.string(),
      link: z.string(),
      carryOn: Piece.optional(),
      personalItem: Piece.optional(),
      totalWeight: z.strictObject({ kilograms: number, pounds: number }).optional(),
    }),
  ),
})

const pieceOf = (piece: z.infer<typeof Piece> | undefined) =>
  piece ? { size_cm: orNull(piece.dimensions?.centimeters), weight_kg: orNull(piece.weight?.kilograms) } : null

export function importCabinBags(from: SourceFolder): CabinBags[] {
  const cabin = Cabin.parse(from.sample('carry-on/cabin-bag-facts-2026-05.json'))
  const codes = new Map(importCheckedBags(from).map(({ cabin_id, iata }) => [cabin_id, iata]))
  const byName = airlineCodes(from)
  return cabin.rows.map(({ id, airline, region, link, carryOn, personalItem, totalWeight }) => ({
    id,
    iata: codes.get(id) ?? byName.get(plainName(airline)) ?? null,
    airline,
    region,
    policy_url: link,
    carry_on: pieceOf(carryOn),
    carry_on_costs_extra: orNull(carryOn?.isExtra),
    personal_item: pieceOf(personalItem),
    total_weight_kg: orNull(totalWeight?.kilograms),
    ...evidence(cabin.source, cabin.asOf, cautionFor('cabin-bags', id)),
  }))
}

/** An airline's name without accents, punctuation and words like "Airlines". */
const plainName = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\b(airlines?|airways|air lines)\b|[^a-z0-9]/g, '')

/** IATA codes of airlines that fly, by name; names shared by two airlines are excluded (OpenTravelData, CC BY 4.0). */
function airlineCodes(from: SourceFolder): Map<string, string> {
  const text = gunzipSync(readFileSync(from.samplePath('airports/optd_airlines.csv.gz'))).toString('utf8')
  const [head = '', ...lines] = text.trim().split('\n')
  const column = (title: string) => head.split('^').indexOf(title)
  const name = column('name')
  const code = column('2char_code')
  const until = column('validity_to')
  const codes = new Map<string, string | null>()
  for (const line of lines) {
    const cells = line.split('^')
    const key = plainName(cells[name] ?? '')
    const iata = cells[code] ?? ''
    if (cells[until] || !/^[A-Z0-9]{2}$/.test(iata) || key === '') continue
    codes.set(key, codes.has(key) && codes.get(key) !== iata ? null : iata)
  }
  return new Map([...codes].filter((entry): entry is [string, string] => entry[1] !== null))
}
