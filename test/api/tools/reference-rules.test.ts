import { describe, expect, it } from 'vitest'
import { getWaitTimes } from '../../../answers/questions/get-wait-times.ts'
import { datedText } from '../../../answers/statements/text.ts'
import type { Tool } from '../../../api/tools/define.ts'
import { getAirlineBaggagePolicyTool } from '../../../api/tools/get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from '../../../api/tools/get-airline-baggage-rankings.ts'
import { getLoungesTool } from '../../../api/tools/get-lounges.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { CHECKED_BAGS } from '../../../config/reference/bags.ts'
import { LOUNGES } from '../../../config/reference/lounges.ts'
import { MISHANDLED_BAGS } from '../../../config/reference/mishandled-bags.ts'
import { TERMINALS } from '../../../config/reference/terminals.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { callOf, runTool, toolText } from './run-tool.ts'

/** The "Rules for use" of the reference data's README, each checked for all of its airports. */

interface Dated {
  as_of: string | null
  caution: string | null
}
const AIRPORTS = [...new Set([...TERMINALS.rows(), ...LOUNGES.rows()].map(({ iata }) => iata))]
const PERIODS = [...new Set(MISHANDLED_BAGS.rows().map(({ period }) => period))]

/** Every tool text with reference facts, and those facts. */
function* textsWithFacts(): Generator<{ what: string; text: string; facts: Dated[] }> {
  const textOf = (tool: Tool, input: object) => {
    const { text, structured } = callOf(tool, input)
    return { what: `${tool.name} ${JSON.stringify(input)}`, text, facts: datedIn(structured) }
  }
  for (const iata of AIRPORTS) {
    yield textOf(getTerminalsTool, { iata })
    yield textOf(getLoungesTool, { iata, limit: 50 })
  }
  for (const period of PERIODS) yield textOf(getAirlineBaggageRankingsTool, { period })
}

/** Every fact in an answer, at any depth. */
function datedIn(value: unknown): Dated[] {
  if (Array.isArray(value)) return value.flatMap(datedIn)
  if (typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap(datedIn)
  return 'as_of' in value && 'source' in value ? [value as unknown as Dated, ...within] : within
}

describe('rules for use of the reference data', () => {
  it('1, 2: every fact is shown with its date, and marked as stale if it is undated or from before 2023', () => {
    let stale = 0
    for (const { what, text, facts } of textsWithFacts()) {
      for (const { as_of, caution } of facts) {
        if (as_of !== null) expect(text, what).toContain(`as of ${as_of}`)
        if (as_of !== null && as_of >= '2023') continue
        stale += 1
        expect(caution, what).toMatch(/carries no date|likely to have changed/)
        expect(text, what).toContain(
          caution === 'The page carries no date.' ? 'undated page' : caution!.replace(/^From \d{4}: |\.$/g, ''),
        )
      }
    }
    expect(stale).toBeGreaterThan(100)
  })

  it('1, 2: the same for checked bags', () => {
    for (const { iata, fares } of CHECKED_BAGS.rows()) {
      const text = toolText(getAirlineBaggagePolicyTool, { airline: iata })
      for (const { as_of, caution } of fares) expect(text, iata).toContain(datedText({ as_of, caution }))
      expect(text, iata).not.toMatch(/\.[.,]/)
    }
  })

  it('3: the texts refer to the boarding pass, the airline or the airport', () => {
    for (const { iata } of TERMINALS.rows())
      expect(toolText(getTerminalsTool, { iata })).toMatch(
        /Not live: if the airline, the airport or the boarding pass says otherwise, follow them/,
      )
  })

  it('4: a missing fact is never shown as absence', () => {
    const without = airportDirectory()
      .all.filter(({ iata }) => !AIRPORTS.includes(iata))
      .slice(0, 50)
    const empty = [
      ...without.flatMap(({ iata }) => [toolText(getTerminalsTool, { iata }), toolText(getLoungesTool, { iata })]),
      ...AIRPORTS.map((iata) => toolText(getLoungesTool, { iata, access: 'no such card' })),
      ...AIRPORTS.map((iata) => toolText(getTerminalsTool, { iata, airline: 'ZZ' })),
    ]
    for (const text of empty)
      expect(text).toMatch(/is known|not known|known here|others may exist|no passenger flights/)
    for (const { text } of textsWithFacts()) expect(text).not.toMatch(/\b(has|have|are|is) (no|none)\b/i)
  })

  it('5: access rules come with "check before you go"', () => {
    for (const iata of new Set(LOUNGES.rows().map((row) => row.iata)))
      expect(toolText(getLoungesTool, { iata })).toContain('check before you go')
  })

  it('6: no checkpoint is added to those that a live feed lists', () => {
    const context = { snapshot: snapshotAt(), directory: airportDirectory(), tier: 'enterprise' as const, now: NOW }
    const { security } = getWaitTimes.run({ iata: 'JFK' }, context) as {
      security: { terminals: { terminal: string; checkpoints: { checkpoint: string }[] }[] }
    }
    expect(security.terminals.map(({ checkpoints }) => checkpoints.map(({ checkpoint }) => checkpoint))).toEqual([
      ['Main'],
    ])
    expect(runTool(getTerminalsTool, { iata: 'JFK' })).toMatchObject({ feed_terminals: ['T4'] })
    expect(TERMINALS.rows().filter(({ iata }) => iata === 'JFK').length).toBeGreaterThan(1)
  })

  it('names the source and licence of lounges that require it', () => {
    for (const iata of ['ATL', 'JFK'])
      expect(toolText(getLoungesTool, { iata })).toContain('notm1ke/lounges, Mozilla Public License 2.0')
  })

  it('offers the older tables of mishandled bags, with the change of definition', () => {
    for (const period of ['2018-11..2019-08', '2021', '2021-01..2024-01', '2022', '2022-01..2022-06'])
      expect(PERIODS, period).toContain(period)
    const text = toolText(getAirlineBaggageRankingsTool, { period: '2018-11..2019-08' })
    expect(text).toContain('The period spans the change of definition of January 2019.')
    expect(toolText(getAirlineBaggageRankingsTool, { period: '2025' })).toMatch(/place 1 from the best, as published/)
  })
})
