import { test } from 'vitest'
import { indexAirports } from '../../config/airports/directory.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { openDashboard } from '../accounts/dashboard/open-dashboard.ts'
import { ACCURACY } from '../api/accuracy-content.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../api/example-snapshot.ts'
import {
  closedUntil,
  type FakeSnapshotContent,
  forecastFrom,
  healthOf,
  historyOf,
  measured,
} from '../api/fake-snapshot.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { noChromium } from './chromium.ts'
import { expectAsKept } from './kept-pictures.ts'
import { openPage } from './open-page.ts'

/** Pictures of whole pages in a real browser: only in the exhaustive run. */
const seen = test.runIf(EXHAUSTIVE && !noChromium)

const MAX_HEIGHT = 3_200
const SHOTS = [
  { width: 390, scheme: 'dark', height: MAX_HEIGHT },
  { width: 1280, scheme: 'light', height: MAX_HEIGHT },
] as const

const closed = closedUntil(NOW, '2026-11-22T09:00:00Z')

const HOURS = Array.from({ length: 88 * 24 }, (_, k) => THIS_HOUR - (88 * 24 - k) * HOUR_MS)
/** Tenths of a minute that rise to the middle of the day and grow towards the weekend. */
const tenthsAt = (start: number) => {
  const hour = (start / HOUR_MS + 19) % 24
  return Math.round(
    60 + 140 * Math.max(0, Math.sin(((hour - 4) / 16) * Math.PI)) + 12 * (Math.floor(start / 86_400_000) % 7),
  )
}

const WORLD: FakeSnapshotContent = {
  accuracy: ACCURACY,
  queues: { 'JFK security': measured(NOW, 14), 'LGA security': closed, 'JED security': measured(NOW, 33) },
  forecasts: [
    forecastFrom('JFK', THIS_HOUR, '', 40),
    forecastFrom('JFK', THIS_HOUR, 'T4', 40),
    forecastFrom('LGA', THIS_HOUR, '', 20),
  ],
  history: ['', 'T1', 'T4', 'T5', 'Concourse of the international arrivals hall'].map((terminal, k) =>
    historyOf('JFK', HOURS.slice(k * 200), (start) => tenthsAt(start) * (1 - k / 8), terminal),
  ),
  health: [
    healthOf('panynj-graphql'),
    healthOf('faa-nas'),
    healthOf('sea-cwt', {
      state: 'failing',
      last_error_code: 'FETCH_FAILED',
      last_error_message: 'the host did not answer',
    }),
  ],
}

const JED = {
  ...DIRECTORY.byIata.get('ZRH')!,
  iata: 'JED',
  icao: 'OEJN',
  name: 'مطار الملك عبدالعزيز الدولي',
  city: 'جدة',
  country: 'SA',
  timezone: 'Asia/Riyadh',
}
const directory = indexAirports([...DIRECTORY.all, JED])

seen.each([
  ['airport', '/airports/JFK'],
  ['airport-plan', '/airports/JFK?departure=2026-11-21T17:30&travel_minutes=30#leave-by'],
  ['airport-closed', '/airports/LGA'],
  ['airport-unknown', '/airports/GRU'],
  ['airport-right-to-left', '/airports/JED'],
  ['accuracy', '/accuracy'],
  ['docs', '/docs'],
  ['docs-sources', '/docs/sources'],
  ['data', '/data'],
  ['status', '/status'],
  ['sign-in', '/sign-in'],
])('%s looks as its kept picture', async (name, path) => {
  const { page } = await openPage({ reducedMotion: 'reduce' }, path, WORLD, { directory })
  for (const shot of SHOTS) await expectAsKept(page, { name, ...shot })
})

seen(
  'the pages of an account look as their kept pictures',
  async () => {
    const { page, harness, address } = await openDashboard('enterprise', { reducedMotion: 'reduce' })
    harness.controls.snapshot = snapshotAt(NOW, { simulated: true, ...WORLD })
    for (const [name, path] of [
      ['dashboard', '/dashboard'],
      ['account', '/account'],
      ['alerts', '/alerts'],
      ['plans', '/plans'],
      ['airport-enterprise', '/airports/JFK'],
    ] as const) {
      await page.goto(address + path)
      for (const shot of SHOTS)
        await expectAsKept(page, { name, ...shot, height: name === 'airport-enterprise' ? 6_000 : MAX_HEIGHT })
    }
  },
  60_000,
)
