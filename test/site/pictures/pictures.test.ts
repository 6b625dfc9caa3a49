import { expect, test } from 'vitest'
import type { QueueWait } from '../../../config/answer-schemas.ts'
import { shareImage } from '../../../site/pictures/share-image.tsx'
import { createSignedInPerson } from '../../accounts/people/signed-in-person.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { closedUntil, measured } from '../../api/fake-snapshot.ts'
import { shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

const harness = shareHarness()
const { controls } = harness

test('the file of a picture has its description, a tag of its figures, and may be kept for a while', async () => {
  const get = (headers = {}) => harness.app.inject({ url: '/airports/JFK/forecast.csv', headers })
  const { headers } = await get()
  expect([headers.link, headers['cache-control']]).toEqual(['<forecast.json>; rel="describedby"', 'public, max-age=30'])
  expect((await get({ 'if-none-match': headers.etag })).statusCode).toBe(304)
  controls.snapshot = snapshotAt(NOW + 60_000)
  controls.now = NOW + 60_000
  expect((await get({ 'if-none-match': headers.etag })).statusCode).toBe(200)
})

test('a badge stays current, and says closed, not known and simulated in words', async () => {
  const badge = async (iata = 'JFK') => (await harness.app.inject(`/airports/${iata}/badge.svg`)).body
  expect(await badge()).toContain('<title>JFK security: 14 min at T4, 2 min ago · ground delay</title>')
  expect(await badge('GRU')).toContain('GRU security: not known')
  controls.snapshot = snapshotAt(NOW, { id: 'next', simulated: true })
  expect(await badge()).toContain('SIMULATED JFK security')
  controls.snapshot = snapshotAt(NOW, {
    id: 'night',
    queues: { 'JFK security': closedUntil(NOW, '2026-11-22T09:15:00Z') },
  })
  expect(await badge()).toContain(
    '<title>JFK security: closed, opens about 4:15\u00a0am on Sun 22 Nov · ground delay</title>',
  )
  const unknown = await harness.app.inject('/airports/QQQ/badge.svg')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.headers['content-type']).toContain('image/svg+xml')
})

test('what has no known reader writes times as the country of its airport does', async () => {
  controls.snapshot = snapshotAt(NOW, { id: 'clocks' })
  const file = async (iata: string) => (await harness.app.inject(`/airports/${iata}/forecast.svg`)).body
  expect(await file('JFK')).toContain('9:20\u00a0am local time')
  expect(await file('DEL')).toContain('7:50\u00a0pm local time')
  expect(await file('GRU')).toContain('11:20 local time')
})

test('a share image has the clock of its country everywhere, and a long place stands below the figure, never over the edge', () => {
  const viewer = { isSignedIn: false, tier: 'free', currentTier: 'enterprise' } as const
  const imageOf = (queue: QueueWait) =>
    shareImage({
      airport: DIRECTORY.byIata.get('JFK')!,
      snapshot: snapshotAt(NOW, { queues: { 'JFK security': queue }, delays: {} }),
      directory: DIRECTORY,
      now: NOW,
      viewer,
    })
  const closed = imageOf(closedUntil(NOW, '2026-11-22T09:15:00Z'))
  expect(closed).toContain('opens about 4:15\u00a0am on Sun 22 Nov')
  expect(closed).not.toMatch(/>[^<]*\b\d\d:\d\d\b/)
  expect(imageOf(measured(NOW, 14))).toMatch(/font-size="32"[^>]*>at T4</)
  const { terminals, ...wait } = measured(NOW, 14)
  const [terminal] = terminals
  const checkpoints = [13, 19].map((wait_minutes, index) => ({
    ...terminal!.checkpoints[0]!,
    checkpoint: `Security ${index + 1}`,
    wait_minutes,
    range: null,
  }))
  const [, beside, detail] = /<tspan ([^>]*)>(by checkpoint[^<]*)</.exec(
    imageOf({ ...wait, terminals: [{ ...terminal!, checkpoints }] }),
  )!
  expect([beside, detail]).toEqual([expect.stringContaining('x="0"'), 'by checkpoint at T4, 14 min on average'])
})

test('what a share image says fills its card, with few lines as with many', () => {
  const boxOf = (queue: QueueWait, options = {}) => {
    const image = shareImage({
      airport: DIRECTORY.byIata.get('JFK')!,
      snapshot: snapshotAt(NOW, { queues: { 'JFK security': queue }, ...options }),
      directory: DIRECTORY,
      now: NOW,
      viewer: { isSignedIn: false, tier: 'free', currentTier: 'enterprise' },
    })
    const [, top, size] = /translate\(\d+,([\d.]+)\) scale\(([\d.]+)\)"><text y/.exec(image)!.map(Number)
    const [, content] = /<g transform="[^"]*"><text y([\s\S]*)/.exec(image)!
    const lines = [...content!.matchAll(/<text y="(\d+)"/g)].map(([, y]) => Number(y))
    return { top: top!, bottom: top! + size! * Math.max(...lines) }
  }
  const two = ['T1', 'T4'].map((terminal, index) => ({ ...measured(NOW, 5 + 9 * index).terminals[0]!, terminal }))
  for (const queue of [
    measured(NOW, 14),
    { ...measured(NOW, 9), terminals: two },
    closedUntil(NOW, '2026-11-22T09:15:00Z'),
  ]) {
    const { top, bottom } = boxOf(queue)
    // The card is from 132 to 576: as much is free above as below, and no more than half of it.
    expect([top >= 132, bottom <= 576, Math.abs(top - 132 - (576 - bottom)) < 40]).toEqual([true, true, true])
    expect(bottom - top).toBeGreaterThan(180)
  }
})

test.runIf(EXHAUSTIVE)(
  'the frame may stand on any site and loads itself again; errors of files are problems',
  async () => {
    const frame = await harness.app.inject('/airports/JFK/embed')
    expect(frame.headers['content-security-policy']).toContain('frame-ancestors *')
    expect(frame.headers['x-frame-options']).toBeUndefined()
    expect(frame.headers.refresh).toBe('60')
    const share = await harness.app.inject('/airports/JFK/share.png')
    expect([share.rawPayload.readUInt32BE(16), share.rawPayload.readUInt32BE(20)]).toEqual([1_200, 630])
    expect((await harness.app.inject('/airports/JFK')).headers['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    )
    for (const path of ['/airports/QQQ/forecast.svg', '/airports/QQQ/forecast.csv', '/airports/QQQ/embed']) {
      const answer = await harness.app.inject(path)
      expect([answer.statusCode, path]).toEqual([404, path])
    }
    const gone = (await harness.app.inject('/airports/JFK/forecast.png')).json()
    expect([gone.code, gone.detail]).toEqual([
      'NOT_FOUND',
      'there is nothing at /airports/JFK/forecast.png; charts are files that end in .svg, .csv and .json',
    ])
    const problem = await harness.app.inject('/airports/QQQ/forecast.csv')
    expect(problem.headers['content-type']).toContain('application/problem+json')
    expect(problem.headers['access-control-allow-origin']).toBe('*')
  },
)

test.runIf(EXHAUSTIVE)('the cells of the heatmap and the dots of the band are the figures of the rows', async () => {
  const person = await createSignedInPerson(harness, { tier: 'enterprise' })
  const { rows } = (await person.get('/airports/JFK/usual.json')).json()
  const svg = (await person.get('/airports/JFK/usual.svg')).body
  const cells = [...svg.matchAll(/<text[^>]*transform="translate[^>]*>(\d+)<\/text>/g)].map(([, text]) => Number(text))
  const medians = rows.map(({ p50 }: { p50: number }) => p50)
  expect(cells.slice(-medians.length)).toEqual(medians)
})
