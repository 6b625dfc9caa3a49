import { airportDirectory } from '../../../config/airports/directory.ts'
import type { CheckpointWait, TerminalWait } from '../../../config/answer-schemas.ts'
import type { Lane } from '../../../config/vocabulary.ts'
import { LaneTable } from '../../../site/airport/terminals.tsx'
import { renderPicture } from '../../../site/pages/document.tsx'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { testValues } from '../../values.ts'

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
/** A terminal of a case: its wait, the checkpoint, lane and minutes of each lane, and other fields. */
interface TerminalCase {
  name: string
  wait: number | null
  lanes: [checkpoint: string, lane: Lane, wait_minutes: number | null][]
  over?: Partial<TerminalWait>
}
const terminalOf = ({ name, wait, lanes, over }: TerminalCase): TerminalWait => ({
  ...example!,
  terminal: name,
  wait_minutes: wait,
  status: wait === null ? 'closed' : 'open',
  checkpoints: lanes.map((given) => lane(...given)),
  ...over,
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

testValues('site/airport/lane-table.json', { rowsOf: (cases: TerminalCase[]) => rowsOf(cases.map(terminalOf)) })
