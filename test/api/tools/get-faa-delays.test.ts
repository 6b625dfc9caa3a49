import { expect, test } from 'vitest'
import { getFaaDelaysTool } from '../../../api/tools/get-faa-delays.ts'
import type { Closure } from '../../../warehouse/publishing/read/delays.ts'
import { exampleContent, NOW } from '../example-snapshot.ts'
import { fakeSnapshot } from '../fake-snapshot.ts'
import { toolText } from './run-tool.ts'

const closure = (over: Partial<Closure>): Closure => ({
  reason: 'AD AP CLSD',
  start: null,
  end: null,
  closed_to_airlines: false,
  closed_hours_utc: null,
  closed_hours_local: null,
  in_force: false,
  ...over,
})

test('a closure that airlines are not shut out by is no delay, and one of the coming night is', () => {
  const content = exampleContent()
  const quiet = content.delays!['LGA']!
  const delays = {
    ...content.delays,
    LAX: { ...quiet, closures: [closure({})] },
    ASE: {
      ...quiet,
      closures: [closure({ closed_to_airlines: true, closed_hours_local: 'every night from 23:00 to 06:30' })],
    },
  }
  const lines = toolText(getFaaDelaysTool, {}, 'free', fakeSnapshot(NOW, { ...content, delays })).split('\n')
  expect(lines[0]).toBe('The FAA lists delays or closures at 2 airports. Closed to other aircraft only: LAX.')
  expect(lines).toContainEqual(expect.stringMatching(/^JFK: /))
  expect(lines).toContainEqual(expect.stringMatching(/^ASE: /))
  expect(lines.filter((line) => line.startsWith('LAX'))).toEqual([])
})

test('whom a ground stop holds is told where one is on, and not of other delays', () => {
  const held = 'A ground stop or ground delay holds flights to the airport where they depart'
  const content = exampleContent()
  const jfk = content.delays!['JFK']!
  const textWith = (type: 'ground_delay' | 'departure_delay') => {
    const programs = jfk.programs.map((program) => ({ ...program, type }))
    return toolText(
      getFaaDelaysTool,
      {},
      'free',
      fakeSnapshot(NOW, { ...content, delays: { ...content.delays, JFK: { ...jfk, programs } } }),
    )
  }
  expect(textWith('ground_delay')).toContain(held)
  expect(textWith('departure_delay')).not.toContain(held)
})
