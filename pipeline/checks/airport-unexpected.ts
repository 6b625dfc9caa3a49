import { groupBy } from '../../config/group-by.ts'
import { once } from '../../config/once.ts'
import { pageTerminals } from '../../config/reference/terminals.ts'
import { allSources } from '../../config/sources.ts'
import { terminalWords } from '../../config/terminal-name.ts'
import { byQueue, flagCheck } from './define-check.ts'

/** One terminal that pages do not name yet may be new. */
const MIN_TERMINALS = 2

/**
 * Flags all rows of an airport whose terminals it has none of, where another airport of the same vendor has them all: a page that does not
 * name its airport was served for the other one. Only terminals with a letter or a number can be told apart; those that sources and
 * pages name in words are written in too many ways.
 */
export const airportUnexpected = flagCheck('airport_unexpected', (rows, { source }) =>
  byQueue(rows).flatMap(({ iata, lanes }) => {
    const named = new Set(lanes.map(({ row }) => terminalWords(row.terminal)).filter(Boolean))
    const own = terminalsOf(iata)
    if (named.size < MIN_TERMINALS || own === null || [...named].some((terminal) => own.has(terminal))) return []
    const hasAll = (other: string) => [...named].every((terminal) => terminalsOf(other)?.has(terminal))
    const other = airportsOf(source.collector).find(hasAll)
    if (other === undefined) return []
    const message = `${iata} has none of these terminals, and ${other} has them all.`
    return lanes.map(({ index }) => ({ index, message, value: [...named].join(', ') }))
  }),
)

/** The letters and numbers of an airport's terminals; null unless all that pages name have one. */
function terminalsOf(iata: string): ReadonlySet<string> | null {
  const terminals = new Set(pageTerminals(iata).map(({ terminal }) => terminalWords(terminal)))
  return terminals.size > 0 && [...terminals].every((terminal) => /^([a-z]|\d+)$/.test(terminal)) ? terminals : null
}

/** The airports of all sources of a collector. */
const airportsOf = (collector: string): readonly string[] =>
  (sourcesByCollector().get(collector) ?? []).flatMap(({ airports }) => airports)

const sourcesByCollector = once(() => groupBy(allSources(), ({ collector }) => collector))
