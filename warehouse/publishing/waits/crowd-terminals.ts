import { CROWD_SOURCE } from '../../../config/publishers.ts'
import { FURTHER_TERMINALS, TERMINALS } from '../../../config/reference/terminals.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import { DAY_MS, utcDayOf } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** How far back past hours may name a terminal. */
const PAST_DAYS = 28

interface CrowdPlace {
  iata: string
  terminal: string
}

const keyOf = ({ iata, terminal }: CrowdPlace) => `${iata}/${normalizeTerminalName(terminal)}`

let referenceKeys: ReadonlySet<string> | null = null

const isOnPage = (place: CrowdPlace) => {
  referenceKeys ??= new Set([...TERMINALS.rows(), ...FURTHER_TERMINALS.rows()].map(keyOf))
  return referenceKeys.has(keyOf(place))
}

/**
 * The current readings whose terminal somebody else than travellers names: another row, a past hour, the map or a reference page.
 * Reports are matched when they are filed; rows that landed before that rule may hold a traveller's own words, which are shown to nobody.
 */
export async function withKnownCrowdTerminals<Row extends CrowdPlace & { source: string }>(
  warehouse: Warehouse,
  rows: Row[],
  now: number,
): Promise<Row[]> {
  const named = new Set(rows.filter(({ source }) => source !== CROWD_SOURCE).map(keyOf))
  const isKnown = (row: Row) =>
    row.source !== CROWD_SOURCE || row.terminal === '' || named.has(keyOf(row)) || isOnPage(row)
  const unknown = rows.filter((row) => !isKnown(row))
  if (unknown.length === 0) return rows
  const elsewhere = await warehouse.query<CrowdPlace>(
    `SELECT DISTINCT iata, terminal FROM rollups
     WHERE date >= $day AND list_contains(string_split($codes, ','), iata) AND level = 'terminal' AND source IS NOT NULL AND source <> '${CROWD_SOURCE}'
     UNION
     SELECT DISTINCT iata, unnest([name, ref]) AS terminal FROM places
     WHERE list_contains(string_split($codes, ','), iata) AND kind = 'terminal'`,
    {
      day: utcDayOf(now - PAST_DAYS * DAY_MS),
      codes: [...new Set(unknown.map(({ iata }) => iata))].join(),
    },
  )
  const names = new Set(elsewhere.flatMap((place) => (place.terminal ? keyOf(place) : [])))
  return rows.filter((row) => isKnown(row) || names.has(keyOf(row)))
}
