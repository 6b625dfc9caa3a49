import { describe, expect, it } from 'vitest'
import { airportTerminals, checkTerminal } from '../../../answers/questions/airport-terminals.ts'
import type { Lounges } from '../../../answers/questions/get-lounges.ts'
import type { Terminals } from '../../../answers/questions/get-terminals.ts'
import type { Overview } from '../../../answers/questions/overview-answer.ts'
import { matchTerminal } from '../../../api/reports/terminal-name.ts'
import { getAirportOverviewTool } from '../../../api/tools/get-airport-overview.ts'
import { getLoungesTool } from '../../../api/tools/get-lounges.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import type { MapPlace } from '../../../warehouse/publishing/read/maps.ts'
import { exampleContent, NOW } from '../../api/example-snapshot.ts'
import { fakeSnapshot } from '../../api/fake-snapshot.ts'
import { runTool, toolText } from '../../api/tools/run-tool.ts'

const CREDIT = '© OpenStreetMap contributors, ODbL 1.0'
const FETCHED = '2026-11-10T08:00:00Z'

const onMap = (over: Partial<MapPlace>): MapPlace => ({
  kind: 'terminal',
  name: null,
  ref: null,
  operator: null,
  level: null,
  opening_hours: null,
  access: null,
  airside: null,
  fee: null,
  osm: 'way/1',
  ...over,
})
const PLACES = [
  onMap({ name: 'Terminal 4', ref: '4' }),
  onMap({ name: 'Cargo Building', osm: 'way/2' }),
  onMap({ kind: 'checkpoint', ref: 'South', osm: 'node/3' }),
  onMap({ kind: 'lounge', name: 'Sky Room', operator: 'Nobody Airways', opening_hours: '24/7', osm: 'node/4' }),
]
const maps = ['JFK', 'GRU'].map((iata) => ({ iata, fetched_at: FETCHED, places: PLACES }))
const mapped = fakeSnapshot(NOW, exampleContent({ maps }))

describe('get_terminals and get_lounges with map places', () => {
  const ask = (tool: typeof getLoungesTool, input: object, snapshot = mapped) =>
    runTool<Partial<Terminals & Lounges>>(tool, input, 'free', snapshot)
  const tell = (tool: typeof getLoungesTool, input: object) => toolText(tool, input, 'free', mapped)

  it('show the map’s places separately, with credit, date and a note that they are not checked', () => {
    for (const iata of ['JFK', 'GRU']) {
      const terminals = ask(getTerminalsTool, { iata })
      expect(terminals).toMatchObject({ known: true, map_terminals: { credit: CREDIT, fetched_at: FETCHED } })
      expect(terminals.map_terminals?.places.map(({ osm }) => osm)).toEqual(['way/1', 'way/2', 'node/3'])
      const lounges = ask(getLoungesTool, { iata })
      expect(lounges.map_lounges).toMatchObject({ credit: CREDIT, fetched_at: FETCHED })
      expect(lounges.map_lounges?.places.map(({ name }) => name)).toEqual(['Sky Room'])
      for (const tool of [getTerminalsTool, getLoungesTool])
        expect(tell(tool, { iata })).toContain(`From the map on 2026-11-10, not checked; ${CREDIT}.`)
    }
    expect(ask(getTerminalsTool, { iata: 'JFK' }).terminals?.length).toBeGreaterThan(0)
    expect(tell(getTerminalsTool, { iata: 'GRU' })).toContain('Security checkpoints on the map: “South”.')
    expect(tell(getLoungesTool, { iata: 'GRU' })).toContain('“Sky Room” (“Nobody Airways”, hours “24/7”)')
  })

  it('return null without credit where the map is not known, never "none"', () => {
    expect(ask(getTerminalsTool, { iata: 'LGA' }).map_terminals).toBeNull()
    expect(ask(getLoungesTool, { iata: 'LGA' }).map_lounges).toBeNull()
    expect(tell(getLoungesTool, { iata: 'LGA' })).not.toContain('OpenStreetMap')
  })

  it('the filters apply to the map’s lounges too', () => {
    expect(ask(getLoungesTool, { iata: 'GRU', access: 'nobody air' }).map_lounges?.places).toHaveLength(1)
    expect(ask(getLoungesTool, { iata: 'GRU', amenity: 'showers' })).toMatchObject({ known: true, map_lounges: null })
    expect(tell(getLoungesTool, { iata: 'GRU', amenity: 'showers' })).toContain('others may exist')
  })
})

describe('get_airport_overview', () => {
  const ask = (iata: string, snapshot = mapped) => runTool<Overview>(getAirportOverviewTool, { iata }, 'free', snapshot)
  const tell = (iata: string, snapshot = mapped) => toolText(getAirportOverviewTool, { iata }, 'free', snapshot)

  it('has the current security wait with basis, age and source', () => {
    expect(ask('JFK').security).toMatchObject({
      average_wait_minutes: 14,
      basis: 'measured',
      age_seconds: 120,
      source: 'panynj',
      freshness: 'live',
    })
    expect(tell('JFK')).toContain('The queue at T4 of JFK: 14 min at security, measured 2 min ago by panynj.')
    expect(ask('GRU').security).toMatchObject({ average_wait_minutes: null, basis: null })
    expect(tell('GRU')).toContain('Neither waits nor delays are known at GRU now')
  })

  it('names each terminal once, with the sources that name it', () => {
    const { terminals, terminals_credit } = ask('JFK')
    const fourth = terminals.filter(({ terminal }) => /\b(T?4)\b/.test(terminal))
    expect(fourth).toMatchObject([{ terminal: 'Terminal 4', sources: ['facts', 'feed', 'map'] }])
    expect(terminals.filter(({ as_of }) => /^\d{4}/.test(as_of ?? '')).length).toBeGreaterThan(0)
    expect(terminals.find(({ terminal }) => terminal === 'Cargo Building')).toMatchObject({
      sources: ['map'],
      as_of: null,
    })
    expect(terminals_credit).toContain(CREDIT)
    const text = tell('JFK')
    expect(text).toMatch(
      /Terminals, possibly not all: .*“Cargo Building” \(from the map, not checked\).*© OpenStreetMap/,
    )
    expect(text).toMatch(/Terminal 4.* \((as of \d{4}|from pages without a date)/)
  })

  it('has no credit for facts that it does not show, and says what is not known', () => {
    const without = fakeSnapshot(NOW, exampleContent())
    expect(ask('GRU', without)).toMatchObject({ terminals: [], terminals_credit: null })
    expect(tell('GRU', without)).toContain('Its terminals are not known.')
    expect(ask('JFK', without).terminals_credit ?? '').not.toContain('OpenStreetMap')
  })
})

it('leaves out a terminal that closed and that the map still draws', () => {
  const places = ['1', '2'].map((ref) => onMap({ name: `Terminal ${ref}`, ref }))
  const drawn = fakeSnapshot(NOW, exampleContent({ maps: [{ iata: 'FCO', fetched_at: FETCHED, places }] }))
  expect(airportTerminals('FCO', drawn).map(({ terminal }) => terminal)).toEqual(['Terminal 1', 'Terminal 3'])
  expect(() => checkTerminal('FCO', '2', drawn)).toThrow('FCO Terminal 2 closed for good')
  expect(['1', '2'].map((terminal) => matchTerminal(terminal, 'FCO', drawn))).toEqual(['1', null])
})
