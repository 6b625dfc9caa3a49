import { expect, test } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { type QueueWait, type SourceFigure, UNKNOWN_STATUS } from '../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { shareImage } from '../../site/pictures/share-image.tsx'
import { exampleContent, NOW, snapshotAt } from '../api/example-snapshot.ts'
import {
  CLOSED_AT_NIGHT,
  closedUntil,
  type FakeSnapshotContent,
  fakeAlert,
  fakeAlerts,
  measured,
  NOTHING,
  preCheckOnly,
} from '../api/fake-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'
import { EIGHT_AIRPORTS } from './eight-airports.ts'

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
  'a blizzard of the night': alerted({ onset: isoUtc(NOW + 10 * HOUR_MS), ends: isoUtc(NOW + 16 * HOUR_MS) }),
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
  'security is closed for five hours': {
    queues: { 'JFK security': closedUntil(NOW, isoUtc(NOW + 5 * HOUR_MS)) },
    delays: { JFK: quiet },
  },
  'a measurement of 5 h ago': {
    queues: { 'JFK security': { ...measured(NOW, 14), freshness: 'stale', age_seconds: 5 * 3_600 } },
    delays: { JFK: quiet },
  },
  'a thunderstorm reported 4 h ago': {
    queues: security,
    delays: { JFK: quiet },
    weather: {
      KJFK: { ...exampleContent().weather!.KJFK!, weather: 'TSRA', age_seconds: 4 * 3_600, freshness: 'stale' },
    },
  },
  'a thunderstorm reported now': {
    queues: security,
    delays: { JFK: quiet },
    weather: { KJFK: { ...exampleContent().weather!.KJFK!, weather: 'TSRA', age_seconds: 600 } },
  },
  'a thunderstorm before a closure': {
    queues: security,
    delays: {
      JFK: {
        ...quiet,
        closures: [
          {
            ...CLOSED_AT_NIGHT,
            closed_hours_utc: null,
            closed_hours_local: null,
            start: isoUtc(NOW + 2 * HOUR_MS),
            end: isoUtc(NOW + 9 * HOUR_MS),
            in_force: false,
          },
        ],
      },
    },
    weather: { KJFK: { ...exampleContent().weather!.KJFK!, weather: 'TSRA', age_seconds: 600 } },
  },
  'a thunderstorm in a heat advisory': {
    ...alerted({ event: 'Heat Advisory', effect: 'slows' }),
    weather: { KJFK: { ...exampleContent().weather!.KJFK!, weather: 'TSRA', age_seconds: 600 } },
  },
  'only PreCheck is open': {
    delays: {},
    queues: { 'JFK security': preCheckOnly(NOW, 3), 'LGA security': preCheckOnly(NOW, 5) },
  },
  'a 0 that may be that of a closed queue': {
    delays: { JFK: quiet },
    queues: { 'JFK security': { ...measured(NOW, 0), ...UNKNOWN_STATUS } },
  },
  'two sources that disagree': {
    queues: security,
    delays: { JFK: quiet },
    figuresBySource: {
      'JFK security': [sourceFigure('panynj', 14, false), sourceFigure('delta-waits', 45, true)],
    },
  },
  'terminals that differ': { delays: {}, queues: { 'JFK security': EIGHT_AIRPORTS.queues!['LGA security']! } },
  'only PreCheck is reported': { delays: {}, queues: { 'JFK security': preCheckReported() } },
} satisfies Record<string, FakeSnapshotContent>

/** What one of several sources says. */
function sourceFigure(source: string, wait_minutes: number, disagrees: boolean): SourceFigure {
  const { basis, observed_at, age_seconds, freshness } = measured(NOW, wait_minutes)
  return {
    source,
    wait_minutes,
    basis: basis as 'measured',
    observed_at: observed_at!,
    age_seconds: age_seconds!,
    freshness: freshness!,
    usual_difference_minutes: disagrees ? 8 : null,
    disagrees,
  }
}

/** A feed that has PreCheck alone: what is expected for everybody stands beside it. */
function preCheckReported(): QueueWait {
  const terminals = measured(NOW, 3).terminals.map((terminal) => ({
    ...terminal,
    wait_minutes: null,
    unavailable_reason: 'only PreCheck is reported',
    checkpoints: terminal.checkpoints.map((checkpoint) => ({ ...checkpoint, lane: 'precheck' as const })),
  }))
  return { ...NOTHING, average_wait_minutes: 9, basis: 'typical', unavailable_reason: null, terminals }
}

/** What a face says, without markup. */
const FACES = {
  card: () => page('/airports/JFK'),
  preview: async () => {
    const { body } = await harness.app.inject('/airports/JFK')
    return textOf(/<meta property="og:description" content="([^"]*)"/.exec(body)![1]!)
  },
  frame: () => page('/airports/JFK/embed'),
  wall: () => page('/tv/JFK'),
  badge: () => page('/airports/JFK/badge.svg'),
  'page of a comparison': () => page('/compare?airports=JFK,LGA'),
  search: () => page('/search?q=New+York'),
  home: () => page('/'),
  map: () => page('/map.csv?colour=wait'),
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
  predictions: () => tool('get_wait_time_predictions', { iata: 'JFK' }),
  'predictions as CSV': async () => (await harness.call('enterprise', '/api/v1/airports/JFK/predictions.csv')).body,
}
type Face = keyof typeof FACES

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/[\s\u00a0]+/g, ' ')
const page = async (url: string) => textOf((await harness.app.inject({ url, headers: { accept: 'text/html' } })).body)
async function tool(name: string, input: Record<string, unknown>): Promise<string> {
  const { body } = await harness.call('enterprise', '/mcp', toolCall(name, input))
  return JSON.stringify(messagesOf(body)[0]!.result)
}

const CARDS: Face[] = ['card', 'frame', 'wall', 'share image', 'page of a comparison']
test.each<[keyof typeof SITUATIONS, RegExp, Face[]]>([
  ['a blizzard of the night', /blizzard warning from (19:20|7:20 pm)/i, ['badge']],
  ['a blizzard', /blizzard warning/i, [...CARDS, 'badge', 'overview', 'delays summary', 'comparison']],
  ['a blizzard', /Blizzard warning:? until (19:20|7:20 pm): flights may stop or be cancelled/i, [...CARDS, 'overview']],
  ['a blizzard', /Blizzard warning until 7:20 pm: flights/, ['share image', 'preview']],
  [
    'a blizzard of the night',
    /from 7:20 pm to 1:20 am on Sun 22 Nov: flights may stop or be cancelled/,
    ['share image'],
  ],
  ['a blizzard', /14 min at T4 Blizzard warning/, ['search', 'home']],
  ['a wind advisory', /14 min at T4 (LGA|US)/, ['search', 'home']],
  ['a wind advisory', /wind advisory:? until (19:20|7:20 pm): delays are possible/i, [...CARDS, 'overview']],
  ['terminals that differ', /21–44 min by terminal/, ['card', 'frame', 'wall', 'badge', 'search']],
  [
    'a 0 that may be that of a closed queue',
    /if open now|if it is open now, which is not known/,
    [...CARDS, 'badge', 'search', 'estimate', 'overview', 'comparison'],
  ],
  ['a queue that gets shorter', /Falling: \d+–\d+ min in the next hour/, ['card', 'frame', 'wall', 'share image']],
  [
    'two sources that disagree',
    /another source says 45 min|: 45 min\. They disagree/i,
    [...CARDS, 'badge', 'search', 'home', 'estimate', 'overview', 'comparison'],
  ],
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
  ['the airport is closed to airlines for two hours', / 10:00 – closed – 11:00 – closed – 12:00 – \d+ /, ['card']],
  ['the airport is closed to airlines for two hours', /T11:00:00-05:00,,,,,closed,/, ['predictions as CSV']],
  ['the airport is closed to airlines for two hours', /^((?![Qq]uietest (10|11):00).)*$/, ['predictions']],
  ['security is closed for five hours', /T14:00:00-05:00,,,,,closed,/, ['predictions as CSV']],
  ['security is closed for five hours', / 13:00 – closed – 14:00 – closed – 15:00 – \d+ /, ['card']],
  [
    'the airport is closed to airlines for two hours',
    /closed to airlines|JFK,[^\n]*,closed,measured,/i,
    ['search', 'map'],
  ],
  [
    'the airport is closed to airlines for two hours',
    /No airport is measured now\. .* No wait is observed now; 1 airport is closed, wholly or at security/,
    ['home'],
  ],
  ['the airport is closed to airlines for two hours', /JFK,[^\n]*,closed,[^\n]*,faa-nas,/, ['map']],
  ['the airport is closed to airlines for two hours', /^((?!Passport control).)*$/, ['overview']],
  ['security is closed for five hours', /13:00 closed;? 14:00 closed;? 15:00 \d+ min/, ['wall']],
  ['a measurement of 5 h ago', /14 min at T4, 5 h ago/, ['search', 'home', 'badge']],
  ['a measurement of 5 h ago', /only that at JFK is known, 14 min at T4, measured 5 h ago\./, ['comparison']],
  ['a measurement of 5 h ago', /Next hour \d+–\d+ min/, ['card', 'frame', 'wall', 'share image']],
  [
    'a thunderstorm reported 4 h ago',
    /^((?!work on the apron).)*$/,
    ['card', 'overview', 'delays summary', 'comparison'],
  ],
  [
    'a thunderstorm reported now',
    /thunderstorm.*work on the apron/i,
    ['card', 'frame', 'wall', 'share image', 'preview', 'overview', 'delays summary', 'comparison'],
  ],
  ['a thunderstorm before a closure', /thunderstorm.*work on the apron/i, ['card', 'frame', 'wall', 'preview']],
  [
    'a thunderstorm in a heat advisory',
    /thunderstorm.*work on the apron/i,
    ['card', 'frame', 'wall', 'share image', 'preview', 'overview', 'delays summary', 'comparison'],
  ],
  ['only PreCheck is open', /PreCheck only/, ['card', 'frame', 'wall']],
  ['only PreCheck is open', /only, 3 min at T4/, ['badge', 'search']],
  ['only PreCheck is open', /,closed,measured,/, ['map']],
  [
    'only PreCheck is open',
    /Only PreCheck is open at JFK, 3 min at T4\. Only PreCheck is open at LGA, 5/,
    ['page of a comparison'],
  ],
  [
    'only PreCheck is open',
    /Only PreCheck is open at JFK security now, 3 min at T4\. For everybody else it is closed now/,
    ['estimate', 'overview'],
  ],
  [
    'only PreCheck is reported',
    /PreCheck 3 min at T4 \(measured \d+ min ago by panynj\); no lane for everybody is observed/,
    ['card', 'estimate', 'overview', 'comparison'],
  ],
  [
    'only PreCheck is reported',
    /"other_lanes":\[\{"lane":"precheck","shortest_minutes":3,"longest_minutes":3,"terminals":\["T4"\]/,
    ['estimate', 'overview', 'comparison'],
  ],
])('%s: every face says it in the same words (%s)', async (situation, words, faces) => {
  harness.controls.snapshot = snapshotAt(NOW, { id: situation, ...SITUATIONS[situation] })
  for (const face of faces) expect(await FACES[face](), face).toMatch(words)
  for (const said of Object.values(FACES)) expect(await said()).not.toMatch(/\[object |\bundefined\b|\bNaN\b/)
})

test('no face gives the wait that a feed still measures while airlines are shut out', async () => {
  const situation = SITUATIONS['the airport is closed to airlines for two hours']
  harness.controls.snapshot = snapshotAt(NOW, { ...situation, queues: { 'JFK security': measured(NOW, 47) } })
  for (const [name, face] of Object.entries(FACES)) expect(await face(), name).not.toMatch(/\b47\b/)
})
