import { describe, expect, it } from 'vitest'
import { discoverMoreFlightToolsTool } from '../../../../api/data/tools/discover-more-flight-tools.ts'
import { getAirlineBaggagePolicyTool } from '../../../../api/data/tools/get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from '../../../../api/data/tools/get-airline-baggage-rankings.ts'
import { getLoungesTool } from '../../../../api/data/tools/get-lounges.ts'
import { getTerminalsTool } from '../../../../api/data/tools/get-terminals.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../../../config/reference/bags.ts'
import { askTool, tellTool } from './run-tool.ts'

interface Evidence {
  source: string
  as_of: string | null
  caution: string | null
}

describe('get_terminals', () => {
  interface Answer {
    known: boolean
    terminals: (Evidence & {
      terminal: string
      airlines: string[]
      checkpoints: (Evidence & { checkpoint: string })[]
    })[]
  }

  it('gives terminals with airlines and checkpoints, each with its own source and date', () => {
    const { known, terminals } = askTool<Answer>(getTerminalsTool, { iata: 'DFW' })
    expect(known).toBe(true)
    expect(terminals.map(({ terminal }) => terminal)).toContain('Terminal A')
    for (const { source, checkpoints } of terminals) {
      expect(source).toMatch(/\S/)
      for (const checkpoint of checkpoints) expect(checkpoint.source).toMatch(/\S/)
    }
    expect(tellTool(getTerminalsTool, { iata: 'DFW' })).toMatch(
      /Terminal A: AA and others \(as of .*\); checkpoints A12, .*\(as of/,
    )
  })

  it('finds where an airline is, and does not say that it is not there when it is not known', () => {
    const { terminals } = askTool<Answer>(getTerminalsTool, { iata: 'DFW', airline: 'AA' })
    expect(terminals.every(({ airlines }) => airlines.includes('AA'))).toBe(true)
    expect(tellTool(getTerminalsTool, { iata: 'DFW', airline: 'ZZ' })).toContain('ask the airline')
  })

  it('an airport without facts is not known, not without terminals', () => {
    expect(askTool<Answer>(getTerminalsTool, { iata: 'GRU' })).toMatchObject({ known: false, terminals: [] })
    expect(tellTool(getTerminalsTool, { iata: 'GRU' })).toBe('Nothing is known here of the terminals of GRU.')
  })

  it('old facts say that they are old', () => {
    const { terminals } = askTool<Answer>(getTerminalsTool, { iata: 'SAN' })
    const cautions = terminals.flatMap(({ checkpoints }) => checkpoints.map(({ caution }) => caution))
    expect(cautions).toContain('From 2016: likely to have changed.')
  })
})

describe('get_lounges', () => {
  interface Answer {
    known: boolean
    total: number
    lounges: (Evidence & { lounge: string; amenities: string[]; credit: string | null })[]
  }

  it('filters by terminal, access and amenity, and says how many there are', () => {
    const all = askTool<Answer>(getLoungesTool, { iata: 'JFK', limit: 3 })
    expect([all.total, all.lounges.length]).toEqual([25, 3])
    const showers = askTool<Answer>(getLoungesTool, { iata: 'JFK', amenity: 'showers', access: 'amex' })
    expect(showers.total).toBeGreaterThan(0)
    expect(showers.total).toBeLessThan(25)
    for (const { amenities } of showers.lounges) expect(amenities.join()).toContain('showers')
  })

  it('passes the credit on that its collection asks for', () => {
    const { lounges } = askTool<Answer>(getLoungesTool, { iata: 'ATL' })
    expect(lounges[0]?.credit).toContain('Mozilla Public License 2.0')
  })

  it('what is missing may exist', () => {
    expect(tellTool(getLoungesTool, { iata: 'GRU' })).toContain('does not mean that there is none')
    expect(tellTool(getLoungesTool, { iata: 'JFK', access: 'no such card' })).toContain('others may exist')
  })
})

describe('get_airline_baggage_policy', () => {
  interface Answer {
    airline: string
    iata: string | null
    policy_url: string | null
    cabin: (Evidence & { carry_on: { size_cm: unknown } | null }) | null
    checked: { fares: (Evidence & { first_bag: { included: boolean; price: number | null } })[] } | null
  }
  const ask = (airline: string) => askTool<Answer>(getAirlineBaggagePolicyTool, { airline })

  it('knows airlines by code and by name', () => {
    expect(ask('AY')).toEqual(ask('finnair'))
    expect(ask('AY').cabin).toMatchObject({ carry_on: { size_cm: [55, 40, 23] }, as_of: '2026-05-29' })
    expect(ask('American Airlines').checked?.fares.length).toBeGreaterThan(1)
  })

  it('answers each airline it has facts of, in words too', () => {
    for (const { iata, status } of CHECKED_BAGS.rows()) {
      expect(ask(iata).checked, iata).not.toBeNull()
      const text = tellTool(getAirlineBaggagePolicyTool, { airline: iata })
      expect(text, iata).toMatch(status === 'flying' ? /Checked, .*(as of|no date)/ : /ceased operations/)
    }
    for (const { airline } of CABIN_BAGS.rows()) expect(ask(airline).cabin, airline).not.toBeNull()
  })

  it('a fee that was not found is not known, never free', () => {
    const text = tellTool(getAirlineBaggagePolicyTool, { airline: 'LX' })
    expect(text).toContain('price not found')
    expect(text).not.toMatch(/\bfree\b/i)
  })

  it('an airline without facts, and a name of several, are told as such', () => {
    expect(() => ask('Air Nowhere')).toThrowError(expect.objectContaining({ code: 'NOT_FOUND' }))
    expect(() => ask('air')).toThrow(/airline: matches several: /)
  })
})

describe('get_airline_baggage_rankings', () => {
  interface Answer {
    period: string
    definition: string
    ranking: (Evidence & { iata: string; rank: number | null; rate_per_100_bags: number | null })[]
    other_tables: { period: string }[]
  }

  it('ranks by rate, lowest first, with period, scope, definition and its break', () => {
    const { period, ranking, definition } = askTool<Answer>(getAirlineBaggageRankingsTool, {})
    expect(period).toBe('2021-01..2024-01')
    expect(ranking.map(({ iata, rate_per_100_bags }) => [iata, rate_per_100_bags]).at(-1)).toEqual(['AA', 0.871])
    expect(ranking.map(({ rank }) => rank)).toEqual(ranking.map((_row, place) => place + 1))
    expect(definition).toContain('Until 2018')
  })

  it('has other tables by period, and names them when asked for one that is not held', () => {
    const { other_tables } = askTool<Answer>(getAirlineBaggageRankingsTool, {})
    for (const { period } of other_tables)
      expect(askTool<Answer>(getAirlineBaggageRankingsTool, { period }).period).toBe(period)
    expect(() => askTool(getAirlineBaggageRankingsTool, { period: '2031' })).toThrow(/period: no such table.*2023/)
  })
})

describe('discover_more_flight_tools', () => {
  it('lists others’ servers by topic, and says that none was tested', () => {
    const answer = askTool<{ servers: (Evidence & { topic: string })[]; note: string }>(discoverMoreFlightToolsTool, {
      topic: 'lounge',
    })
    expect(answer.servers.length).toBeGreaterThan(0)
    expect(answer.servers.length).toBeLessThan(23)
    expect(answer.note).toContain('None was called or tested')
    expect(tellTool(discoverMoreFlightToolsTool, { topic: 'submarines' })).toContain('Topics: ')
  })
})
