import { describe, expect, it } from 'vitest'
import type { Lounges } from '../../../answers/questions/get-lounges.ts'
import type { Terminals } from '../../../answers/questions/get-terminals.ts'
import { hoursFilter } from '../../../answers/questions/lounge-hours.ts'
import { getAirlineBaggagePolicyTool } from '../../../api/tools/get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from '../../../api/tools/get-airline-baggage-rankings.ts'
import { getLoungesTool } from '../../../api/tools/get-lounges.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import { TOOLS } from '../../../bin/service/registry.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../../config/reference/bags.ts'
import { LOUNGES } from '../../../config/reference/lounges.ts'
import { MISHANDLED_BAGS } from '../../../config/reference/mishandled-bags.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { fakeSnapshot, measured } from '../fake-snapshot.ts'
import { callOf, runTool, toolText } from './run-tool.ts'

const discoverTool = TOOLS.find(({ name }) => name === 'discover_more_flight_tools')!

interface Evidence {
  source: string
  as_of: string | null
  caution: string | null
}

describe('get_terminals', () => {
  it('returns terminals with airlines and checkpoints, each with its own source and date', () => {
    const { known, terminals } = runTool<Terminals>(getTerminalsTool, { iata: 'DFW' })
    expect(known).toBe(true)
    expect(terminals.map(({ terminal }) => terminal)).toContain('Terminal A')
    for (const { source, checkpoints } of terminals) {
      expect(source).toMatch(/\S/)
      for (const checkpoint of checkpoints) expect(checkpoint.source).toMatch(/\S/)
    }
  })

  it('finds the terminals of an airline', () => {
    const { terminals } = runTool<Terminals>(getTerminalsTool, { iata: 'DFW', airline: 'AA' })
    expect(terminals.every(({ airlines }) => airlines.includes('AA'))).toBe(true)
  })

  it('merges pages, feeds and the map, each terminal once, and says who names it', () => {
    const example = snapshotAt()
    const base = measured(NOW, 9)
    const terminal = { ...base.terminals[0]!, checkpoints: [] }
    const queue = { ...base, terminals: ['4', 'T9', 'all'].map((name) => ({ ...terminal, terminal: name })) }
    const place = { operator: null, level: null, opening_hours: null, access: null, airside: null, fee: null }
    const snapshot = fakeSnapshot(NOW, {
      queues: { 'JFK security': queue },
      maps: [
        {
          iata: 'JFK',
          fetched_at: example.generated_at,
          places: [
            { ...place, kind: 'terminal', name: 'Terminal 8', ref: '8', osm: 'way/1' },
            { ...place, kind: 'terminal', name: 'Terminal 11', ref: null, osm: 'way/2' },
          ],
        },
      ],
    })
    const { terminals } = runTool<Terminals>(getTerminalsTool, { iata: 'JFK' }, 'free', snapshot)
    expect(terminals.map(({ terminal, sources }) => [terminal, sources.join()])).toEqual([
      ['T9', 'feed'],
      ['Terminal 1', 'facts'],
      ['Terminal 4', 'facts,feed'],
      ['Terminal 5', 'facts'],
      ['Terminal 7', 'facts'],
      ['Terminal 8', 'facts,map'],
      ['Terminal 11', 'map'],
    ])
    expect(terminals.at(-1)?.caution).toBe('From the map, not checked.')
    const text = toolText(getTerminalsTool, { iata: 'JFK' }, 'free', snapshot)
    expect(text).toMatch(/^JFK: 7 terminals known, possibly not all: /)
    const unknown = toolText(getTerminalsTool, { iata: 'JFK', airline: 'ZZ' }, 'free', snapshot)
    expect(unknown).toMatch(
      /^JFK: which terminal ZZ uses is not known here: .*Terminals known: .*Terminal 1, Terminal 4/,
    )
  })
})

describe('get_lounges', () => {
  it('filters by terminal, access and amenity, and returns the total', () => {
    const all = runTool<Lounges>(getLoungesTool, { iata: 'JFK', limit: 3 })
    expect([all.total, all.lounges.length]).toEqual([25, 3])
    const showers = runTool<Lounges>(getLoungesTool, { iata: 'JFK', amenity: 'showers', access: 'amex' })
    expect(showers.total).toBeGreaterThan(0)
    expect(showers.total).toBeLessThan(25)
    for (const { amenities } of showers.lounges) expect(amenities.join()).toContain('showers')
  })

  it('says what the lounges have, and where they are, to words that match none', () => {
    const text = toolText(getLoungesTool, { iata: 'JFK', amenity: 'outdoor patio' })
    expect(text).toMatch(/^No known lounge at JFK matches; others may exist\. Known ones are in: Terminal 1; /)
    expect(text).toMatch(/ What they have: .*\bshowers\b.*, wifi\./)
  })

  it('knows of no lounge whether it has what no page records', () => {
    const { total, possible } = runTool<Lounges>(getLoungesTool, { iata: 'JFK', amenity: 'pets' })
    expect([total, possible]).toEqual([0, 25])
    expect(toolText(getLoungesTool, { iata: 'JFK', amenity: 'pets' })).toMatch(
      /^Whether a lounge at JFK matches is not known: the pages of 25 do not say\./,
    )
  })

  it.each([
    ['spa', 'spa'],
    ['wheelchair', 'accessible'],
    ['Duschen', 'showers'],
    ['シャワー', 'showers'],
    ['Wi-Fi', 'wifi'],
    ['hot meals', 'hot food'],
    ['terrace', 'outdoor'],
    ['room for children', 'kids'],
    ['sleeping pods', 'rest suites|sleep cabins'],
  ])('finds by %s the lounges with %s alone', (amenity, known) => {
    const found = ['JFK', 'LAX', 'SYD', 'ZRH', 'SIN', 'DOH'].map(
      (iata) => runTool<Lounges>(getLoungesTool, { iata, amenity, limit: 50 }).lounges,
    )
    const matched = found.flat().filter((lounge) => lounge.matched)
    expect(matched.length).toBeGreaterThan(0)
    for (const { amenities } of matched) expect(amenities.join()).toMatch(new RegExp(`\\b(?:${known})\\b`))
  })

  it('names the lounges that are open by their hours first', () => {
    const { lounges } = runTool<Lounges>(getLoungesTool, {
      iata: 'SYD',
      limit: 50,
    })
    const order = [true, null, false]
    const ranks = lounges.map(({ open_by_hours }) => order.indexOf(open_by_hours))
    expect(ranks).toEqual(ranks.toSorted())
  })

  it.each([
    // Asked at 14:00 on a Friday in New York.
    ['daily 06:00-23:00', 'open now', true],
    ['daily 06:00-23:00', 'Open at 5am', false],
    ['daily 05:00-23:00', 'opens at 5', true],
    ['Mon-Fri 05:00-23:00', 'open at 5', false],
    ['Mon-Fri 05:00-23:00', 'open at 9 pm', true],
    ['daily 06:00-23:00', 'open 24 hours', false],
    ['daily 00:00-23:30', 'open 24 hours', false],
    ['daily 00:00-23:59', 'open 24 hours', true],
    ['Mon-Fri 00:00-24:00; Sat-Sun 06:00-22:00', 'open 24 hours', false],
    ['daily 06:00-23:00', 'open at noon', true],
    ['daily 06:00-23:00', 'open at midnight', false],
    ['daily 24h', '24/7', true],
    [null, 'open at 05:30', null],
  ] as const)('of listed hours %s, %s: %s', (hours, asked, open) => {
    const isOpen = hoursFilter(asked, Date.parse('2026-11-27T19:00:00Z'), 'America/New_York')
    expect(isOpen!({ hours, note: null })).toBe(open)
  })

  it('leaves out the lounges whose hours are not as asked, and reads no hours in other words', () => {
    const { lounges } = runTool<Lounges>(getLoungesTool, { iata: 'JFK', amenity: 'open 24 hours', limit: 50 })
    expect(lounges.filter(({ hours }) => hours?.startsWith('daily 0'))).toEqual([])
    expect(hoursFilter('open bar', 0, 'UTC')).toBeNull()
    expect(hoursFilter('open at 17pm', 0, 'UTC')).toBeNull()
  })

  it('knows a terminal by its number, its letter or its words', () => {
    const total = (terminal: string) => runTool<Lounges>(getLoungesTool, { iata: 'LHR', terminal }).total
    expect(total('5')).toBeGreaterThan(0)
    for (const spoken of ['T5', 'terminal 5', 'Terminal five', 'five']) expect(total(spoken), spoken).toBe(total('5'))
  })

  it('what a filter concerns and nothing tells is not a miss', () => {
    for (const filter of [{ access: 'oneworld' }, { amenity: 'showers' }]) {
      const { text, structured } = callOf<Lounges>(getLoungesTool, { iata: 'LHR', ...filter })
      expect(structured.total).toBe(0)
      expect(structured.possible).toBeGreaterThan(5)
      expect(structured.lounges.every(({ matched }) => !matched)).toBe(true)
      expect(text).toMatch(/^Whether a lounge at LHR matches is not known: the pages of \d+ do not say/)
      expect(text).toContain('Galleries First')
    }
    const { lounges } = runTool<Lounges>(getLoungesTool, {
      iata: 'JFK',
      access: 'Priority Pass',
    })
    const known = lounges.map(({ matched }) => Number(matched))
    expect(known).toEqual(known.toSorted((a, b) => b - a))
    expect(known).toContain(1)
  })

  it.each([
    ['DFW', 'oneworld Emerald', 'oneworld Sapphire'],
    ['DFW', 'Qantas Platinum One', 'oneworld Sapphire'],
    ['LAX', 'Lufthansa Senator', 'Star Alliance Gold'],
  ])('at %s a status of %s opens what %s does', (iata, access, rule) => {
    const loungesFor = (status: string) =>
      runTool<Lounges>(getLoungesTool, { iata, access: status }).lounges.filter(({ matched }) => matched)
    expect(loungesFor(rule).length).toBeGreaterThan(0)
    expect(loungesFor(access).map(({ lounge }) => lounge)).toEqual(
      expect.arrayContaining(loungesFor(rule).map(({ lounge }) => lounge)),
    )
  })

  it.each([
    ['LHR', 'Star Alliance Gold', 'Galleries Club South', 'United Club'],
    ['SIN', 'KrisFlyer Gold', 'British Airways Lounge', 'SilverKris Lounge'],
    ['CDG', 'SkyTeam Elite Plus', 'Star Alliance Lounge (Schengen)', 'Air France Lounge Hall M'],
    ['DXB', 'oneworld Sapphire', 'Lufthansa Lounge', 'The Emirates Lounge'],
  ])('at %s a status of %s may not open what another alliance has (%s)', (iata, access, other, possible) => {
    const { lounges } = runTool<Lounges>(getLoungesTool, { iata, access })
    const names = lounges.map(({ lounge }) => lounge)
    expect(names).not.toContain(other)
    expect(names).toContain(possible)
  })

  it('of lounges without hours it says that the hours are not known, at every airport', () => {
    for (const iata of new Set(LOUNGES.rows().map((row) => row.iata))) {
      const { total, open_now, hours_unknown } = runTool<Lounges>(getLoungesTool, { iata })
      const [first] = toolText(getLoungesTool, { iata }).split('\n')
      expect(first, iata).not.toMatch(/none/)
      if (hours_unknown === total) expect(first, iata).toContain('hours not known')
      else if (open_now > 0) expect(first, iata).toContain(open_now === total ? ': open now' : `${open_now} open now`)
      const closed = total - open_now - hours_unknown
      if (closed > 0 && closed < total) expect(first, iata).toContain(`${closed} closed`)
    }
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
  const ask = (airline: string) => runTool<Answer>(getAirlineBaggagePolicyTool, { airline })

  it('the answer is first, a sentence about a cabin bag has three numbers at most, and facts are not called simulated', () => {
    for (const { airline } of CABIN_BAGS.rows()) {
      const { text, structured } = callOf<{ simulated: boolean; policy_url: string | null }>(
        getAirlineBaggagePolicyTool,
        { airline },
      )
      expect(structured.simulated).toBe(false)
      expect(text.split('\n')[0], airline).toMatch(/first checked bag|Carry-on: /)
      const ofCabin = text
        .split(/\n|(?<=[.]) /)
        .filter((sentence) => /^(Carry-on|Personal item|It weighs)/.test(sentence))
      for (const sentence of ofCabin)
        expect(sentence.match(/\d+(\.\d+)?/g)?.length ?? 0, airline).toBeLessThanOrEqual(3)
    }
  })

  it('answers every airline with facts, also as text', () => {
    for (const { iata, status } of CHECKED_BAGS.rows()) {
      expect(ask(iata).checked, iata).not.toBeNull()
      const text = toolText(getAirlineBaggagePolicyTool, { airline: iata })
      expect(text, iata).toMatch(
        status === 'flying' ? /first checked bag [\s\S]*checked bags (as of|undated page)/ : /ended its flights/,
      )
    }
    for (const { airline } of CABIN_BAGS.rows()) expect(ask(airline).cabin, airline).not.toBeNull()
  })

  it('says so when it is not stated whether the cheapest fare includes the cabin bag', () => {
    for (const { airline, carry_on_costs_extra } of CABIN_BAGS.rows()) {
      const text = toolText(getAirlineBaggagePolicyTool, { airline, detail: 'full' })
      const sentence =
        carry_on_costs_extra === null
          ? 'not stated whether the cheapest fare includes it'
          : 'costs extra on the cheapest fare'
      expect(text, airline).toContain(sentence)
    }
  })

  it('a price of which one end is known is said in words', () => {
    const texts = CHECKED_BAGS.rows().map(({ iata }) =>
      toolText(getAirlineBaggagePolicyTool, { airline: iata, detail: 'full' }),
    )
    expect(texts.filter((text) => /\? to|to \?/.test(text))).toEqual([])
    expect(texts.join('\n')).toContain('A checked bag over 23 kg: up to 200 USD.')
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
    const { period, ranking, definition } = runTool<Answer>(getAirlineBaggageRankingsTool, {})
    expect(period).toBe('2021-01..2024-01')
    expect(ranking.map(({ iata, rate_per_100_bags }) => [iata, rate_per_100_bags]).at(-1)).toEqual(['AA', 0.871])
    expect(ranking.map(({ rank }) => rank)).toEqual(ranking.map((_row, place) => place + 1))
    expect(definition).toContain('Until 2018')
  })

  it('gives no ranks where most rates are missing or only a total is known, and names the newer tables', () => {
    interface Table {
      ranked: boolean
      period: string
      ranking: { rank: number | null; rate_per_100_bags: number | null }[]
    }
    for (const period of new Set(MISHANDLED_BAGS.rows().map((row) => row.period))) {
      const { ranked, ranking } = runTool<Table>(getAirlineBaggageRankingsTool, { period })
      const rates = ranking.filter(({ rate_per_100_bags }) => rate_per_100_bags !== null).length
      if (2 * rates <= ranking.length) expect(ranked, period).toBe(false)
      const text = toolText(getAirlineBaggageRankingsTool, { period })
      if (ranked) continue
      expect(
        ranking.every(({ rank }) => rank === null),
        period,
      ).toBe(true)
      expect(text, period).toMatch(ranking.length > 0 ? /^This is not a ranking/ : /^Of .* only a total is known/)
      expect(text, period).not.toMatch(/^\d+\. /m)
    }
    expect(toolText(getAirlineBaggageRankingsTool, {})).toMatch(/Newer tables.*2025; 2024-01\.\.2024-09/)
    expect(toolText(getAirlineBaggageRankingsTool, { period: '2022' })).toContain('Newer tables')
  })

  it('has other tables by period', () => {
    const { other_tables } = runTool<Answer>(getAirlineBaggageRankingsTool, {})
    for (const { period } of other_tables)
      expect(runTool<Answer>(getAirlineBaggageRankingsTool, { period }).period).toBe(period)
  })
})

it('a lounge of the name that is asked for comes before those that a card of that name opens', () => {
  const { lounges } = runTool<{ lounges: { lounge: string }[] }>(getLoungesTool, { iata: 'DFW', access: 'Centurion' })
  expect(lounges.length).toBeGreaterThan(1)
  expect(lounges[0]).toMatchObject({ lounge: 'The Centurion Lounge' })
})

it('a lounge whose name is given as access may be meant', () => {
  const { lounges } = runTool<Lounges>(getLoungesTool, { iata: 'DOH', access: 'Al Mourjan' })
  expect(lounges.length).toBeGreaterThan(0)
  for (const { lounge, matched } of lounges)
    expect([lounge, matched]).toEqual([expect.stringContaining('Al Mourjan'), false])
})

describe('discover_more_flight_tools', () => {
  it.each([
    ['train', 'rail'],
    ['trains to Berlin', 'rail'],
    ['bus', 'public transport'],
    ['hostels', 'hotels'],
    ['flight status AA100', 'flight status'],
    ['award flights to Tokyo', 'award flights'],
  ])('finds the topic of %s', (topic, found) => {
    const { servers } = runTool<{ servers: { topic: string }[] }>(discoverTool, { topic })
    expect(servers.length).toBeGreaterThan(0)
    for (const server of servers) expect(server.topic).toContain(found)
  })

  it.each(['rental of a car', 'where can I find a hotel', 'trains by rail'])('"%s" has one', (topic) => {
    const { servers } = runTool<{ servers: unknown[] }>(discoverTool, { topic })
    expect(servers.length).toBeGreaterThan(0)
    expect(servers.length).toBeLessThan(10)
  })

  it.each([
    ['lounges', ['get_lounges']],
    ['security wait times', ['get_security_wait_estimate', 'get_live_wait_time']],
    ['airport delays', ['get_faa_delays', 'get_airport_delays_summary']],
    ['airport', ['search_airports', 'get_airport_overview']],
    ['award flights', []],
  ])('names the own tools for %s before other servers', (topic, tools) => {
    const { own_tools } = runTool<{ own_tools: string[] }>(discoverTool, { topic })
    expect(own_tools).toEqual(tools)
  })

  it('lists servers of other providers by topic, and says that none was tested', () => {
    const answer = runTool<{ servers: (Evidence & { topic: string })[]; note: string }>(discoverTool, {
      topic: 'lounge',
    })
    expect(answer.servers.length).toBeGreaterThan(0)
    expect(answer.servers.length).toBeLessThan(23)
    expect(answer.note).toContain('We have not called, tested or recommended any of them')
  })
})

it('terminals of an airline are found by its code or its name', () => {
  const own = (airline: string) => runTool<Terminals>(getTerminalsTool, { iata: 'LHR', airline }, 'free')
  expect(own('British Airways')).toEqual(own('BA'))
  expect(own('ba')).toEqual(own('BA'))
  expect(own('BA').terminals.length).toBeGreaterThan(0)
})
