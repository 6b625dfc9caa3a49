import { expect, test } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { shareImage } from '../../site/pictures/share-image.tsx'
import { exampleContent, NOW, snapshotAt } from '../api/example-snapshot.ts'
import { CLOSED_AT_NIGHT, type FakeSnapshotContent, fakeAlert, fakeAlerts, measured } from '../api/fake-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'

const harness = shareHarness()
const directory = airportDirectory()
const quiet = { ...exampleContent().delays!.LGA!, status: 'normal' as const, programs: [], closures: [] }
const security = { 'JFK security': measured(NOW, 14) }
const alerted = (...alerts: Parameters<typeof fakeAlert>[1][]): FakeSnapshotContent => ({
  queues: security,
  delays: { JFK: quiet },
  weatherAlerts: {
    JFK: fakeAlerts(
      NOW,
      alerts.map((over) => fakeAlert(NOW, over)),
    ),
  },
})

const SITUATIONS = {
  'a blizzard': alerted({}),
  'a wind advisory': alerted({ event: 'Wind Advisory', effect: 'slows' }),
  'a queue that gets shorter': { queues: security, delays: { JFK: quiet } },
  'a measurement of 7 h ago': {
    queues: { 'JFK security': { ...measured(NOW, 14), freshness: 'expired', age_seconds: 7 * 3_600 } },
    delays: { JFK: quiet },
  },
  'the airport is closed to airlines for two hours': {
    queues: security,
    delays: {
      JFK: {
        ...quiet,
        status: 'closed',
        closures: [
          { ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, end: '2026-11-21T16:30:00Z' },
        ],
      },
    },
  },
} satisfies Record<string, FakeSnapshotContent>

/** What a face says, without markup. */
const FACES = {
  card: () => page('/airports/JFK'),
  frame: () => page('/airports/JFK/embed'),
  wall: () => page('/tv/JFK'),
  badge: () => page('/airports/JFK/badge.svg'),
  'page of a comparison': () => page('/compare?airports=JFK,LGA'),
  'share image': async () => {
    const { snapshot } = harness.controls
    const viewer = { isSignedIn: false, tier: 'free' as const, currentTier: 'enterprise' as const }
    return textOf(
      shareImage({ airport: directory.byIata.get('JFK')!, snapshot: snapshot!, directory, now: NOW, viewer }),
    )
  },
  estimate: () => tool('get_security_wait_estimate', { iata: 'JFK' }),
  overview: () => tool('get_airport_overview', { iata: 'JFK' }),
  'delays summary': () => tool('get_airport_delays_summary', { iata: 'JFK' }),
  comparison: () => tool('compare_airports', { airports: ['JFK', 'LGA'] }),
}
type Face = keyof typeof FACES

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/[\s\u00a0]+/g, ' ')
const page = async (url: string) => textOf((await harness.app.inject({ url, headers: { accept: 'text/html' } })).body)
async function tool(name: string, input: Record<string, unknown>): Promise<string> {
  const { body } = await harness.call('enterprise', '/mcp', toolCall(name, input))
  return JSON.stringify(messagesOf(body)[0]!.result!.content)
}

const CARDS: Face[] = ['card', 'frame', 'wall', 'share image', 'page of a comparison']
test.each<[keyof typeof SITUATIONS, RegExp, Face[]]>([
  ['a blizzard', /blizzard warning/i, [...CARDS, 'badge', 'overview', 'delays summary', 'comparison']],
  ['a blizzard', /Blizzard warning:? until (19:20|7:20 pm): flights may stop or be cancelled/i, [...CARDS, 'overview']],
  ['a blizzard', /Blizzard warning until 7:20 pm: flights/, ['share image']],
  ['a wind advisory', /wind advisory:? until (19:20|7:20 pm): delays are possible/i, [...CARDS, 'overview']],
  ['a queue that gets shorter', /Falling: \d+–\d+ min in the next hour/, ['card', 'frame', 'wall', 'share image']],
  ['a wind advisory', /no delay listed/, ['page of a comparison', 'comparison']],
  [
    'a measurement of 7 h ago',
    /the last measurement, of 7 h ago, is too old to be shown/i,
    [...CARDS, 'estimate', 'overview', 'comparison'],
  ],
  [
    'the airport is closed to airlines for two hours',
    /closed to airlines until (11:30|11:30 am)/i,
    [...CARDS, 'badge', 'estimate', 'overview', 'comparison'],
  ],
  ['the airport is closed to airlines for two hours', / 10:00 closed 11:00 closed 12:00 \d+ min/, ['wall']],
])('%s: every face says it in the same words (%s)', async (situation, words, faces) => {
  harness.controls.snapshot = snapshotAt(NOW, { id: situation, ...SITUATIONS[situation] })
  for (const face of faces) expect(await FACES[face](), face).toMatch(words)
  for (const said of Object.values(FACES)) expect(await said()).not.toMatch(/\[object |\bundefined\b|\bNaN\b/)
})
