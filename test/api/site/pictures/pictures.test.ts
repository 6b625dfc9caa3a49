import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../../exhaustive.ts'
import { createSignedInPerson } from '../../accounts/people/signed-in-person.ts'
import { ACCURACY } from '../../accuracy-content.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'
import { closedUntil } from '../../fake-snapshot.ts'
import { shareHarness } from '../../harness.ts'

const harness = shareHarness()
const { controls } = harness

type Row = Record<string, string>
const NAMES = ['forecast', 'usual', 'history', 'record']

test.runIf(EXHAUSTIVE)(
  'the files of a picture have the same figures, with metadata, an entity tag and open to other sites',
  async () => {
    controls.snapshot = snapshotAt(NOW, { accuracy: ACCURACY })
    const get = (format: string, headers = {}) =>
      harness.app.inject({
        url: `/airports/JFK/forecast.${format}`,
        headers: { origin: 'https://elsewhere.example', ...headers },
      })
    const json = (await get('json')).json()
    expect(json).toMatchObject({
      airport: 'JFK',
      unit: 'minutes',
      made_at: '2026-11-21T14:20:00Z',
      simulated: false,
      page: 'http://127.0.0.1:8080/airports/JFK',
      files: { csv: 'http://127.0.0.1:8080/airports/JFK/forecast.csv' },
    })
    expect(json.title).toContain('John F. Kennedy')
    expect(json.description).toContain('Next 24 hours')
    expect(json.licence.length).toBeGreaterThan(20)
    expect(json.sources.map(({ source }: { source: string }) => source)).toContain('panynj')
    expect(json.rows).toHaveLength(48)
    const csv = await get('csv')
    const rows = parse(csv.body, { columns: true }) as Row[]
    expect(rows).toHaveLength(48)
    rows.forEach((row, k) => {
      for (const name of Object.keys(json.columns)) expect(row[name], name).toBe(String(json.rows[k][name] ?? ''))
      expect(row).toMatchObject({ unit: 'minutes', simulated: 'false', made_at: json.made_at, page: json.page })
    })
    expect(csv.headers.link).toBe('<forecast.json>; rel="describedby"')
    expect(csv.headers['access-control-allow-origin']).toBe('*')
    const again = await get('csv', { 'if-none-match': csv.headers.etag })
    expect(again.statusCode).toBe(304)
    // The hours are those that the API answers.
    const answer = await harness.app.inject({ url: '/airports/JFK/forecast.json' })
    expect(answer.headers['cache-control']).toBe('public, max-age=30')
    controls.snapshot = snapshotAt(NOW + 60_000, { accuracy: ACCURACY })
    controls.now = NOW + 60_000
    expect((await get('csv', { 'if-none-match': csv.headers.etag })).statusCode).toBe(200)
  },
)

test('a badge stays current, and says closed, not known and simulated in words', async () => {
  const badge = async (iata = 'JFK') => (await harness.app.inject(`/airports/${iata}/badge.svg`)).body
  expect(await badge()).toContain('<title>JFK security: 14 min, 2 min ago · ground delay</title>')
  expect(await badge('GRU')).toContain('GRU security: not known')
  controls.snapshot = snapshotAt(NOW, { id: 'next', simulated: true })
  expect(await badge()).toContain('SIMULATED JFK security')
  controls.snapshot = snapshotAt(NOW, {
    id: 'night',
    queues: { 'JFK security': closedUntil(NOW, '2026-11-22T09:15:00Z') },
  })
  expect(await badge()).toContain('<title>JFK security: closed, opens about 04:15 on Sun 22 Nov · ground delay</title>')
  const unknown = await harness.app.inject('/airports/QQQ/badge.svg')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.headers['content-type']).toContain('image/svg+xml')
})

test.runIf(EXHAUSTIVE)(
  'the frame may stand on any site and loads itself again; errors of files are problems',
  async () => {
    const frame = await harness.app.inject('/airports/JFK/embed')
    expect(frame.headers['content-security-policy']).toContain('frame-ancestors *')
    expect(frame.headers['x-frame-options']).toBeUndefined()
    expect(frame.headers.refresh).toBe('60')
    expect((await harness.app.inject('/airports/JFK')).headers['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    )
    for (const path of ['/airports/QQQ/forecast.svg', '/airports/QQQ/forecast.csv', '/airports/QQQ/embed']) {
      const answer = await harness.app.inject(path)
      expect([answer.statusCode, path]).toEqual([404, path])
    }
    const problem = await harness.app.inject('/airports/QQQ/forecast.csv')
    expect(problem.headers['content-type']).toContain('application/problem+json')
    expect(problem.headers['access-control-allow-origin']).toBe('*')
  },
)

test.runIf(EXHAUSTIVE)(
  'every picture exists in every format with the same rows, as the tier of the visitor sees it',
  async () => {
    harness.controls.snapshot = snapshotAt(NOW, { accuracy: ACCURACY })
    const person = await createSignedInPerson(harness, { tier: 'enterprise' })
    for (const name of NAMES) {
      const json = (await person.get(`/airports/JFK/${name}.json`)).json()
      const rows = parse((await person.get(`/airports/JFK/${name}.csv`)).body, { columns: true }) as Row[]
      expect(rows.length, name).toBe(json.rows.length)
      expect(rows.length, name).toBeGreaterThan(0)
      for (const [k, row] of rows.entries())
        for (const column of Object.keys(json.columns)) expect(row[column]).toBe(String(json.rows[k][column] ?? ''))
      const svg = await person.get(`/airports/JFK/${name}.svg`)
      expect(svg.headers['content-type']).toContain('image/svg+xml')
      expect(svg.body).toContain('prefers-color-scheme:dark')
      expect(svg.body.replaceAll('&quot;', '"').replaceAll('&amp;', '&')).toContain(json.description)
      const png = await person.get(`/airports/JFK/${name}.png`)
      expect(png.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    }
    const share = await harness.app.inject('/airports/JFK/share.png')
    expect([share.rawPayload.readUInt32BE(16), share.rawPayload.readUInt32BE(20)]).toEqual([1_200, 630])
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
