import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { CabinBags } from '../bags.ts'
import { evidence } from '../evidence.ts'
import { cautionFor } from './cautions.ts'
import { importCheckedBags } from './facts.ts'
import type { SourceFolder } from './source-folder.ts'

interface Piece {
  dimensions?: { centimeters?: number | number[] }
  weight?: { kilograms?: number }
  isExtra?: boolean
}

interface Cabin {
  asOf: string
  source: string
  rows: (Record<'id' | 'airline' | 'region' | 'link', string> &
    Partial<Record<'carryOn' | 'personalItem', Piece>> & { totalWeight?: { kilograms?: number } })[]
}

const pieceOf = (piece: Piece | undefined) =>
  piece ? { size_cm: piece.dimensions?.centimeters ?? null, weight_kg: piece.weight?.kilograms ?? null } : null

export function importCabinBags(from: SourceFolder): CabinBags[] {
  const cabin = from.sample('carry-on/cabin-bag-facts-2026-05.json') as Cabin
  const codes = new Map(importCheckedBags(from).map(({ cabin_id, iata }) => [cabin_id, iata]))
  const byName = airlineCodes(from)
  return cabin.rows.map(({ id, airline, region, link, carryOn, personalItem, totalWeight }) => ({
    id,
    iata: codes.get(id) ?? byName.get(plainName(airline)) ?? null,
    airline,
    region,
    policy_url: link,
    carry_on: pieceOf(carryOn),
    carry_on_costs_extra: carryOn?.isExtra ?? null,
    personal_item: pieceOf(personalItem),
    total_weight_kg: totalWeight?.kilograms ?? null,
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
