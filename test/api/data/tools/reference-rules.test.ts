import { describe, expect, it } from 'vitest'
import { getWaitTimes } from '../../../../api/data/queries/get-wait-times.ts'
import type { Tool } from '../../../../api/data/tools/define.ts'
import { getAirlineBaggagePolicyTool } from '../../../../api/data/tools/get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from '../../../../api/data/tools/get-airline-baggage-rankings.ts'
import { getLoungesTool } from '../../../../api/data/tools/get-lounges.ts'
import { getTerminalsTool } from '../../../../api/data/tools/get-terminals.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { CHECKED_BAGS } from '../../../../config/reference/bags.ts'
import { LOUNGES } from '../../../../config/reference/lounges.ts'
import { MISHANDLED_BAGS } from '../../../../config/reference/mishandled-bags.ts'
import { TERMINALS } from '../../../../config/reference/terminals.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'
import { askTool, tellTool } from './run-tool.ts'

/** "Rules for use" of the reference data, each held over all of its airports; the words are those of its README. */

interface Dated {
  as_of: string | null
  caution: string | null
}
const AIRPORTS = [...new Set([...TERMINALS.rows(), ...LOUNGES.rows()].map(({ iata }) => iata))]
const PERIODS = [...new Set(MISHANDLED_BAGS.rows().map(({ period }) => period))]

/** Every text that tells facts on file, with the facts behind it. */
function* told(): Generator<{ what: string; text: string; facts: Dated[] }> {
  const of = (tool: Tool, given: object) => ({
    what: `${tool.name} ${JSON.stringify(given)}`,
    text: tellTool(tool, given),
    facts: datedIn(askTool(tool, given)),
  })
  for (const iata of AIRPORTS) {
    yield of(getTerminalsTool, { iata })
    yield of(getLoungesTool, { iata, limit: 50 })
  }
  for (const period of PERIODS) yield of(getAirlineBaggageRankingsTool, { period })
}

/** Every fact in an answer, at any depth. */
function datedIn(value: unknown): Dated[] {
  if (Array.isArray(value)) return value.flatMap(datedIn)
  if (typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap(datedIn)
  return 'as_of' in value && 'source' in value ? [value as unknown as Dated, ...within] : within
}

describe('rules for use of the reference data', () => {
  it('1, 2: every fact is shown with its date, and what is undated or from before 2023 as stale', () => {
    let stale = 0
    for (const { what, text, facts } of told()) {
      for (const { as_of, caution } of facts) {
        if (as_of !== null) expect(text, what).toContain(`as of ${as_of}`)
        if (as_of !== null && as_of >= '2023') continue
        stale += 1
        expect(caution, what).toMatch(/carries no date|likely to have changed/)
        expect(text, what).toContain(caution)
      }
    }
    expect(stale).toBeGreaterThan(100)
  })

  it('1, 2: of checked bags too', () => {
    for (const { iata, fares } of CHECKED_BAGS.rows()) {
      const text = tellTool(getAirlineBaggagePolicyTool, { airline: iata })
      for (const { as_of, caution } of fares)
        expect(text, iata).toContain([as_of === null ? null : `as of ${as_of}`, caution].filter(Boolean).join('; '))
    }
  })

  it('3: the boarding pass, the airline or the airport wins', () => {
    for (const { iata } of TERMINALS.rows())
      expect(tellTool(getTerminalsTool, { iata })).toMatch(
        /Not live: the airline, the airport and the boarding pass win/,
      )
  })

  it('4: absence proves nothing', () => {
    const without = airportDirectory()
      .all.filter(({ iata }) => !AIRPORTS.includes(iata))
      .slice(0, 50)
    const empty = [
      ...without.flatMap(({ iata }) => [tellTool(getTerminalsTool, { iata }), tellTool(getLoungesTool, { iata })]),
      ...AIRPORTS.map((iata) => tellTool(getLoungesTool, { iata, access: 'no such card' })),
      ...AIRPORTS.map((iata) => tellTool(getTerminalsTool, { iata, airline: 'ZZ' })),
    ]
    for (const text of empty) expect(text).toMatch(/is known|not known|known here|others may exist/)
    for (const { text } of told()) expect(text).not.toMatch(/\b(has|have|are|is) (no|none)\b/i)
  })

  it('5: access rules are told with "check before you go"', () => {
    for (const iata of new Set(LOUNGES.rows().map((row) => row.iata)))
      expect(tellTool(getLoungesTool, { iata })).toContain('check before you go')
  })

  it('6: no checkpoint is added to those that a live feed lists', () => {
    const context = { snapshot: snapshotAt(), directory: airportDirectory(), tier: 'enterprise' as const, now: NOW }
    const { security } = getWaitTimes.run({ iata: 'JFK' }, context) as {
      security: { terminals: { terminal: string; checkpoints: { checkpoint: string }[] }[] }
    }
    expect(security.terminals.map(({ checkpoints }) => checkpoints.map(({ checkpoint }) => checkpoint))).toEqual([
      ['Main'],
    ])
    expect(askTool(getTerminalsTool, { iata: 'JFK' })).toMatchObject({ feed_terminals: ['T4'] })
    expect(TERMINALS.rows().filter(({ iata }) => iata === 'JFK').length).toBeGreaterThan(1)
  })

  it('names the source and licence of the lounges that ask for it', () => {
    for (const iata of ['ATL', 'JFK'])
      expect(tellTool(getLoungesTool, { iata })).toContain('notm1ke/lounges, Mozilla Public License 2.0')
  })

  it('offers the older tables of mishandled bags, with the change of definition', () => {
    for (const period of ['2018-11..2019-08', '2021', '2021-01..2024-01', '2022', '2022-01..2022-06'])
      expect(PERIODS, period).toContain(period)
    const text = tellTool(getAirlineBaggageRankingsTool, { period: '2018-11..2019-08' })
    expect(text).toContain('The period spans the change of definition of January 2019.')
    expect(tellTool(getAirlineBaggageRankingsTool, { period: '2025' })).toMatch(/place 1 from the best, as published/)
  })
})
