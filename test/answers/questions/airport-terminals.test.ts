import { describe, expect, it, test } from 'vitest'
import { checkTerminal, knownTerminal, meantTerminalName } from '../../../answers/questions/airport-terminals.ts'
import type { Lounges } from '../../../answers/questions/get-lounges.ts'
import type { Terminals } from '../../../answers/questions/get-terminals.ts'
import { matchTerminal } from '../../../api/reports/terminal-name.ts'
import { getLoungesTool } from '../../../api/tools/get-lounges.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import { FURTHER_TERMINALS, TERMINALS } from '../../../config/reference/terminals.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { fakeSnapshot, measured } from '../../api/fake-snapshot.ts'
import { callOf, toolText } from '../../api/tools/run-tool.ts'
import { assumed, leaveBy } from '../departure/leave-by-of.ts'

const snapshot = fakeSnapshot(NOW)
const TBIT = 'Tom Bradley International Terminal (Terminal B)'

describe('a terminal by the words that people use', () => {
  test('is named by its own name, and an unknown one as a terminal', () => {
    expect(meantTerminalName('LGW', 'North', snapshot)).toBe('North Terminal')
    expect(meantTerminalName('JFK', '8', snapshot)).toBe('Terminal 8')
    expect(meantTerminalName('BQH', 'B', snapshot)).toBe('Terminal B')
  })

  test.each([
    ['LAX', 'TBIT', TBIT],
    ['LAX', 'Tom Bradley', TBIT],
    ['LAX', 'International', TBIT],
    ['LAX', 'Terminal B', TBIT],
    ['LAX', 't4', 'Terminal 4'],
    ['SFO', 'International', 'International Terminal'],
    ['SFO', 'Intl', 'International Terminal'],
    ['SFO', 'Intl G', 'International Terminal'],
    ['SFO', 'T1', 'Harvey Milk Terminal 1'],
    ['DFW', 'Terminal D', 'Terminal D'],
    ['DFW', 'd', 'Terminal D'],
    ['DTW', 'McNamara', 'McNamara Terminal'],
    ['DTW', 'North Terminal', 'Warren C. Evans Terminal'],
    ['MSP', 'Lindbergh', 'Terminal 1'],
    ['MIA', 'Concourse H', 'South Terminal (Concourses H, J)'],
    ['LGW', 'north', 'North Terminal'],
    ['ORD', 'International Terminal', 'Terminal 5'],
    ['SYD', 'International', 'T1 International'],
    ['DXB', 'T2', 'Terminal 2'],
    ['DXB', 'T3', 'Terminal 3 (Concourses A, B, C)'],
    ['HND', 'T1', 'Terminal 1'],
    ['VIE', '1', 'Terminal 1'],
    ['VIE', '1A', 'Terminal 1A'],
    ['JFK', 'terminal four', 'Terminal 4'],
    ['JFK', 'Terminal IV', 'Terminal 4'],
    ['JFK', 'Term. 4', 'Terminal 4'],
    ['JFK', 'term 4', 'Terminal 4'],
    ['JFK', 'Terminal no. 4', 'Terminal 4'],
    ['JFK', 'T-4', 'Terminal 4'],
    ['LGW', 'Terminal North', 'North Terminal'],
    ['LHR', 'T2 Satellite', 'Terminal 2'],
    ['FRA', 'Terminal 1 Pier B', 'Terminal 1'],
    ['LHR', 'T5 B gates', 'Terminal 5'],
    ['CDG', '2E hall L', 'Terminal 2E (Halls K, L, M)'],
    ['ORD', 'Terminal 1, Concourse C', 'Terminal 1'],
    ['MIA', 'D gates', 'North Terminal (Concourse D)'],
    ['MIA', 'Gate H', 'South Terminal (Concourses H, J)'],
  ])('%s: %s is %s', (iata, words, terminal) => {
    expect(knownTerminal(iata, words, snapshot)?.terminal).toBe(terminal)
    expect(() => checkTerminal(iata, words, snapshot)).not.toThrow()
    expect(matchTerminal(words, iata, snapshot)).not.toBeNull()
  })

  it.each([
    ['DEN', 'West Security', 'Jeppesen Terminal'],
    ['ATL', 'north', 'Domestic'],
    ['ATL', 'Main', null],
    ['ORD', 'Checkpoint 5', '2'],
    ['MIA', 'Checkpoint 4', null],
  ])('%s: a report at the checkpoint %s is one of terminal %s', (iata, checkpoint, terminal) => {
    expect(matchTerminal(checkpoint, iata, snapshot)).toBe(terminal)
  })

  it('means none where several have the words, or no page has them', () => {
    expect(knownTerminal('SYD', 'Domestic', snapshot)).toBeNull()
    expect(knownTerminal('LAX', 'Lindbergh', snapshot)).toBeNull()
    expect(knownTerminal('LAX', 'Terminal', snapshot)).toBeNull()
    expect(() => checkTerminal('LAX', 'Lindbergh', snapshot)).toThrow(/LAX has no terminal "Lindbergh"/)
  })

  it('finds what a feed calls otherwise', () => {
    const {
      terminals: [terminal],
      ...queue
    } = measured(NOW, 12)
    const feed = fakeSnapshot(NOW, {
      queues: { 'LAX security': { ...queue, terminals: [{ ...terminal!, terminal: 'TBIT' }] } },
    })
    expect(knownTerminal('LAX', 'TBIT', feed)).toMatchObject({ terminal: TBIT, sources: ['facts', 'feed'] })
    expect(matchTerminal('Tom Bradley', 'LAX', feed)).toBe('TBIT')
  })
})

it('adds only names and terminals that the imported file lacks', () => {
  for (const { iata, terminal, names, airlines, note } of FURTHER_TERMINALS.rows()) {
    const isImported = TERMINALS.where('iata', iata).some((row) => row.terminal === terminal)
    if (isImported) expect([names.length > 0, airlines, note], `${iata} ${terminal}`).toEqual([true, [], null])
  }
})

it('shows a terminal of a further page with its airlines and source', () => {
  const { structured } = callOf<Terminals>(getTerminalsTool, { iata: 'DXB', airline: 'flydubai', detail: 'full' })
  expect(structured.terminals.map(({ terminal }) => terminal)).toContain('Terminal 2')
  expect(toolText(getTerminalsTool, { iata: 'DXB' })).toContain('Terminal 2: FZ and others (undated page)')
  // The year is said once.
  expect(toolText(getTerminalsTool, { iata: 'DEN' })).toContain('(as of 2020-11, likely to have changed)')
})

it('finds the lounges of a terminal by its other names', () => {
  const total = (terminal: string) => callOf<Lounges>(getLoungesTool, { iata: 'LAX', terminal }).structured.total
  expect(total('TBIT')).toBeGreaterThan(5)
  expect(total('TBIT')).toBe(total('Tom Bradley'))
  const ofSfo = callOf<Lounges>(getLoungesTool, { iata: 'SFO', terminal: 'Intl G', detail: 'full' }).structured
  expect(new Set(ofSfo.lounges.map(({ terminal }) => terminal))).toEqual(new Set(['International Terminal G']))
})

it('does not call a terminal another than that of the airline for its words', () => {
  const reasonFor = (terminal: string) =>
    assumed(leaveBy({ iata: 'SFO', terminal, airline: 'United' }), 'terminal')?.source ?? ''
  expect(reasonFor('International')).not.toContain('not known to use')
  expect(reasonFor('Terminal 2')).toContain('not known to use')
})

it.each([
  ['LHR', '1', /LHR Terminal 1 closed on 29 June 2015; known are: Terminal 2, /],
  ['JFK', '3', /JFK Terminal 3 closed on 24 May 2013; known are: Terminal 1, /],
  ['KUL', 'LCCT', /KUL LCCT closed on 9 May 2014/],
  ['MAN', 'T1', /MAN Terminal 1 closed in March 2026/],
  ['FCO', 'Terminal 2', /FCO Terminal 2 closed for good; known are: Terminal 1, Terminal 3$/],
  ['MCI', 'C', /MCI Terminal C closed on 28 February 2023/],
])('refuses a terminal that closed: %s %s', (iata, terminal, why) => {
  expect(() => checkTerminal(iata, terminal, snapshot)).toThrow(why)
  expect(() => callOf(getLoungesTool, { iata, terminal })).toThrow(why)
})

it('offers no forecast of a terminal that is none of the known ones', () => {
  const reasonFor = (terminal: string) => assumed(leaveBy({ iata: 'LAX', terminal }), 'terminal')?.source ?? ''
  expect(reasonFor('7')).not.toContain('not among')
  const { source } = assumed(leaveBy({ iata: 'JFK', terminal: '6' }), 'terminal')!
  expect(source).toMatch(/terminal 6 is not among those known of JFK \(Terminal 1, .*\): check the boarding pass$/)
})
