import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckpointWait, QueueWait, StatusFields } from '../../../../config/answer-schemas.ts'
import type { Lane, QueueStatus } from '../../../../config/vocabulary.ts'
import { currentWaits } from '../../../../warehouse/publishing/waits/choice-of-source.ts'
import { type LatestReading, statusOf } from '../../../../warehouse/publishing/waits/queue-wait.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')

/** One source of each kind of publisher, nearest to the queue first. */
const SOURCES = ['sea-cwt', 'zensors-las', 'catsa-html', 'delta-newshub', 'import-x', 'fromthetraytable', 'crowd']

interface Drawn {
  source: string
  terminal: string
  checkpoint: string
  lane: Lane
  age_minutes: number
  status: QueueStatus
  wait_minutes: number | null
}

const readingOf = ({ age_minutes, wait_minutes, ...drawn }: Drawn): LatestReading => ({
  ...drawn,
  kind: 'security',
  iata: 'SEA',
  observed_at: new Date(NOW - age_minutes * 60_000).toISOString(),
  // A feed may leave a number standing beside a closure.
  wait_minutes,
  wait_minutes_low: null,
  wait_minutes_high: null,
})

const drawnWith = (places: { terminals: string[]; checkpoints: string[]; lanes: Lane[] }) =>
  fc.record({
    source: fc.constantFrom(...SOURCES),
    terminal: fc.constantFrom(...places.terminals),
    checkpoint: fc.constantFrom(...places.checkpoints),
    lane: fc.constantFrom(...places.lanes),
    age_minutes: fc.integer({ min: 0, max: 420 }),
    status: fc.constantFrom<QueueStatus>('open', 'closed', 'unknown'),
    wait_minutes: fc.constantFrom(null, 0, 3, 25),
  })

const laneKey = ({ source, terminal, checkpoint, lane }: Drawn) => [source, terminal, checkpoint, lane].join('/')
const readingsOf = (drawn: fc.Arbitrary<Drawn>) =>
  fc.uniqueArray(drawn, { selector: laneKey, minLength: 1, maxLength: 12 }).map((rows) => rows.map(readingOf))

const isStandard = ({ lane }: CheckpointWait) => lane === 'standard' || lane === 'all'

/** The status that standard lanes give together. */
function together(lanes: CheckpointWait[]): QueueStatus {
  const statuses = lanes.filter(isStandard).map(({ status }) => status)
  if (statuses.includes('open')) return 'open'
  return statuses.length > 0 && statuses.every((status) => status === 'closed') ? 'closed' : 'unknown'
}

/** The status that the lanes of a terminal give together: closed when all are, open where only a lane for some is. */
function ofTerminal(lanes: CheckpointWait[]): QueueStatus {
  const standard = together(lanes)
  const hasStandard = lanes.some(isStandard)
  if (standard === 'open' || (hasStandard && standard === 'unknown')) return standard
  const others = lanes.filter((lane) => !isStandard(lane)).map(({ status }) => status)
  if (others.includes('open')) return 'open'
  if (hasStandard) return standard
  return others.every((status) => status === 'closed') ? 'closed' : 'unknown'
}

/** What holds of every queue, terminal and lane: no minutes of a closed one, and a reason wherever there are none. */
function expectHonest(figure: StatusFields & { unavailable_reason: string | null }, minutes: number | null): void {
  if (figure.status === 'closed') expect([minutes, figure.unavailable_reason]).toEqual([null, 'closed'])
  expect(figure.unavailable_reason === null).toBe(minutes !== null)
  const known = figure.status !== 'unknown'
  expect([figure.status_basis, figure.status_observed_at, figure.status_source].every((value) => value !== null)).toBe(
    known,
  )
}

function expectConsistent(wait: QueueWait): void {
  expectHonest(wait, wait.average_wait_minutes)
  const lanes = wait.terminals.flatMap(({ checkpoints }) => checkpoints)
  expect(wait.status).toBe(together(lanes))
  for (const terminal of wait.terminals) {
    expect(terminal.terminal).not.toBe('')
    expectHonest(terminal, terminal.wait_minutes)
    expect(terminal.status).toBe(ofTerminal(terminal.checkpoints))
    for (const lane of terminal.checkpoints) {
      expect(lane.checkpoint).not.toBe('')
      expectHonest(lane, lane.wait_minutes)
      expect(lane.open).toBe(lane.status === 'unknown' ? null : lane.status === 'open')
    }
  }
}

test('a closed queue has no minutes, and lanes, terminals and airport agree on what is closed', () => {
  const anything = drawnWith({
    terminals: ['', '1', 'T1', '2'],
    checkpoints: ['', 'A', 'B'],
    lanes: ['standard', 'all', 'precheck'],
  })
  fc.assert(
    fc.property(readingsOf(anything), (readings) => {
      for (const { wait } of currentWaits(readings, NOW)) expectConsistent(wait)
    }),
    { numRuns: 300 },
  )
})

test('no closure is outweighed by an older wait of any other source, and a fresher wait of an equal one counts', () => {
  const oneQueue = drawnWith({ terminals: [''], checkpoints: [''], lanes: ['all'] })
  fc.assert(
    fc.property(readingsOf(oneQueue), (readings) => {
      const wait = currentWaits(readings, NOW)[0]?.wait
      if (!wait) return
      const usable = readings.filter(({ observed_at }) => NOW - Date.parse(observed_at) < 6 * 3_600_000)
      const closures = usable.filter(({ status }) => status === 'closed').map(({ observed_at }) => observed_at)
      const openings = usable.filter((reading) => statusOf(reading) === 'open').map(({ observed_at }) => observed_at)
      const [closed = '', opened = ''] = [closures.sort().at(-1), openings.sort().at(-1)]
      if (closed >= opened && closed !== '') expect(wait.status).toBe('closed')
      if (wait.average_wait_minutes !== null) expect((wait.observed_at ?? '') > closed || closed < opened).toBe(true)
      const isLive = NOW - Date.parse(closed) < 600_000
      if (opened > closed && !isLive && openings.length > 0) expect(wait.status).not.toBe('closed')
    }),
    { numRuns: 500 },
  )
})
