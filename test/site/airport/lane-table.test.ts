import { expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import type { CheckpointWait, TerminalWait } from '../../../config/answer-schemas.ts'
import type { Lane } from '../../../config/vocabulary.ts'
import { LaneTable } from '../../../site/airport/terminals.tsx'
import { renderPicture } from '../../../site/pages/document.tsx'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'

const directory = airportDirectory()
const airport = directory.byIata.get('JFK')!
const snapshot = snapshotAt(NOW)
const [example] = snapshot.queue('JFK', 'security').terminals
const request = {
  airport,
  directory,
  snapshot,
  now: NOW,
  viewer: { isSignedIn: false, tier: 'free', currentTier: 'enterprise' },
}

const lane = (checkpoint: string, lane: Lane, wait_minutes: number | null): CheckpointWait => ({
  ...example!.checkpoints[0]!,
  checkpoint,
  lane,
  wait_minutes,
  status: wait_minutes === null ? 'closed' : 'open',
  range: null,
})
const terminal = (name: string, wait_minutes: number | null, checkpoints: CheckpointWait[]): TerminalWait => ({
  ...example!,
  terminal: name,
  wait_minutes,
  status: wait_minutes === null ? 'closed' : 'open',
  checkpoints,
})

/** The rows of the table as texts. */
const rowsOf = (terminals: TerminalWait[]) =>
  [
    ...renderPicture(LaneTable({ terminals, security: example!, request: request as never })).matchAll(
      /<tr.*?<\/tr>/gs,
    ),
  ].map(([row]) =>
    [...row.matchAll(/<t[hd].*?<\/t[hd]>/gs)].map(([cell]) =>
      cell
        .replaceAll('<span>', ' ')
        .replace(/<[^>]+>/g, '')
        .replaceAll('\u00a0', ' ')
        .trim(),
    ),
  )

test('each lane has a column and each checkpoint a row; one of a terminal goes by the name of the terminal', () => {
  expect(
    rowsOf([
      terminal('T4', 9, [lane('North', 'standard', 12), lane('North', 'precheck', 2), lane('T4 South', 'standard', 6)]),
      terminal('T5', 7, [lane('Main', 'standard', 7), lane('Main', 'priority', 3)]),
      terminal('T7', 4, []),
      terminal('T8', null, [lane('Main', 'standard', null)]),
    ]),
  ).toEqual([
    ['Checkpoint', 'Standard', 'PreCheck', 'Priority'],
    ['Terminal 4, North', '12 min', '2 min', '–'],
    ['Terminal 4, South', '6 min', '–', '–'],
    ['Terminal 5', '7 min', '–', '3 min'],
    ['Terminal 7', '4 min', '–', '–'],
    ['Terminal 8', 'Closed', '–', '–'],
  ])
})

test('a terminal of which only PreCheck is open has no standard figure, and numbered checkpoints are called so', () => {
  expect(
    rowsOf([terminal('all', 4, [lane('1', 'standard', 4), lane('2', 'standard', 6), lane('3', 'precheck', 1)])]),
  ).toEqual([
    ['Checkpoint', 'Standard', 'PreCheck'],
    ['Checkpoint 1', '4 min', '–'],
    ['Checkpoint 2', '6 min', '–'],
    ['Checkpoint 3', '–', '1 min'],
  ])
})

test('a row says its age and its source where they are not those of the airport, and a closed lane begins as a closed terminal', () => {
  expect(
    rowsOf([
      terminal('T4', 9, [lane('Main', 'standard', 9), lane('Main', 'precheck', null)]),
      { ...terminal('T5', 7, []), age_seconds: 2_700 },
      { ...terminal('T7', 4, []), source: 'faa-nas-status' },
    ]),
  ).toEqual([
    ['Checkpoint', 'Standard', 'PreCheck'],
    ['Terminal 4', '9 min', 'Closed'],
    ['Terminal 5 45 min ago', '7 min', '–'],
    ['Terminal 7 Federal Aviation Administration, NAS Status', '4 min', '–'],
  ])
})
