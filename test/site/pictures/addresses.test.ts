import { parse } from 'csv-parse/sync'
import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { inTwelveHours } from '../../../answers/statements/clock-style.ts'
import { createSignedInPerson } from '../../accounts/people/signed-in-person.ts'
import { ACCURACY } from '../../api/accuracy-content.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { forecastFrom, measured } from '../../api/fake-snapshot.ts'
import { openHarness, shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

const harness = shareHarness()

const FORMATS = ['svg', 'csv', 'json']
/** Every page with a picture, as an account sees it that sees all of them. */
const PAGES = [
  '/',
  '/?colour=delay',
  '/delays',
  '/accuracy',
  '/airports/LGA',
  '/airports/JFK?departure=2026-11-21T17%3A30&travel_minutes=30',
]

/** The pictures of a page: each with the addresses of its files beside it. */
function picturesOf(page: string): { name: string; files: string[] }[] {
  const { document } = parseHTML(page)
  return [...document.querySelectorAll('svg.plot, svg.map')].map((picture) => {
    const beside = picture.closest('figure') ?? picture.closest('section') ?? picture.closest('main')
    const links = [...(beside?.querySelectorAll('.files a') ?? [])]
    return {
      name: picture.querySelector('title')?.textContent ?? picture.getAttribute('aria-label') ?? '',
      files: links.map((link) => (link as unknown as Element).getAttribute('href') ?? ''),
    }
  })
}

test('files have instants in whole seconds, as answers do', async () => {
  const content = {
    forecasts: [forecastFrom('JFK', THIS_HOUR)],
    queues: { 'JFK security': { ...measured(NOW, 14), observed_at: '2026-11-21T14:18:00.291Z' } },
  }
  harness.controls.snapshot = { ...snapshotAt(NOW, content), generated_at: '2026-11-21T14:20:00.353Z' }
  expect((await harness.app.inject('/map.json')).json().airports[0].observed_at).toBe('2026-11-21T14:18:00Z')
  for (const path of ['/map', '/delays', '/airports/JFK/forecast']) {
    expect((await harness.app.inject(`${path}.json`)).json().made_at, path).toBe('2026-11-21T14:20:00Z')
    const [row] = parse((await harness.app.inject(`${path}.csv`)).body, { columns: true }) as Record<string, string>[]
    expect(row!.made_at, path).toBe('2026-11-21T14:20:00Z')
  }
})

test.runIf(EXHAUSTIVE)(
  'every picture of every page has an address in three formats, with the same rows, with metadata and open to other sites',
  async () => {
    harness.controls.snapshot = snapshotAt(NOW, {
      accuracy: ACCURACY,
      queues: { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 25) },
      forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('LGA', THIS_HOUR)],
    })
    const person = await createSignedInPerson(harness, { tier: 'enterprise' })
    // The comparison is a table on its page, and a picture for other sites.
    const addresses = new Set(['/compare.json?airports=JFK,LGA'])
    for (const path of PAGES) {
      const pictures = picturesOf((await person.get(path)).body)
      expect(pictures.length, path).toBeGreaterThan(0)
      for (const { name, files } of pictures) {
        const endings = files.map((file) => /\.(\w+)(\?|$)/.exec(file)?.[1])
        expect(endings, `${path}: ${name}`).toEqual(FORMATS)
        addresses.add(files.at(-1)!)
      }
    }
    for (const address of addresses) {
      const as = (format: string) => person.get(address.replace('.json', `.${format}`))
      const answer = await as('json')
      expect([address, answer.statusCode]).toEqual([address, 200])
      expect(answer.headers['access-control-allow-origin'], address).toBe('*')
      expect(answer.headers['content-security-policy'], address).toContain("default-src 'none'")
      const json = answer.json()
      for (const field of ['title', 'description', 'made_at', 'page', 'licence', 'columns', 'files'])
        expect(json[field], `${address}: ${field}`).toBeTruthy()
      expect(json.simulated, address).toBe(false)
      expect(Object.keys(json.files), address).toEqual(FORMATS)
      for (const format of FORMATS) expect(json.files[format], address).toContain(`.${format}`)
      const list = (json.rows ?? json.airports) as Record<string, unknown>[]
      expect(list.length, address).toBeGreaterThan(0)
      const csv = parse((await as('csv')).body, { columns: true }) as Record<string, string>[]
      expect(csv.length, address).toBe(list.length)
      for (const [k, row] of csv.entries())
        for (const column of Object.keys(json.columns))
          expect(row[column], `${address}: ${column}`).toBe(String(list[k]![column] ?? ''))
      const svg = await as('svg')
      expect(svg.headers['content-type'], address).toContain('image/svg+xml')
      expect(svg.body, address).toMatch(/prefers-color-scheme: ?dark/)
      // The picture writes times as the airport's country does.
      const text = inTwelveHours(svg.body.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
      expect(text, address).toContain(inTwelveHours(json.description))
    }
    const names = [...addresses].map((address) => /([\w-]+)\.json/.exec(address)![1])
    expect(names).toEqual(
      expect.arrayContaining(
        ['map', 'delays', 'compare', 'scorecard', 'coverage', 'reliability'].concat([
          'forecast',
          'usual',
          'history',
          'terminals',
          'record',
          'leave-by',
        ]),
      ),
    )
  },
  60_000,
)

test('the curve of leaving is a picture for its own flight, refuses a bad one by its field, and is kept for nobody else', async () => {
  const get = (query: string, format = 'json') => harness.app.inject(`/airports/JFK/leave-by.${format}${query}`)
  const early = (await get('?departure=2026-11-21T17:30&travel_minutes=30&utm_source=mail')).json()
  const late = (await get('?departure=2026-11-21T19:30&travel_minutes=30')).json()
  expect(early).toMatchObject({ airport: 'JFK', unit: 'probability', departure: '2026-11-21T22:30:00Z' })
  expect(late.departure).toBe('2026-11-22T00:30:00Z')
  expect(early.page).toBe('http://127.0.0.1:8080/airports/JFK?departure=2026-11-21T17%3A30&travel_minutes=30')
  const probabilities = early.rows.map(({ probability }: { probability: number }) => probability)
  expect(probabilities[0]).toBeGreaterThan(0.9)
  expect(probabilities.at(-1)).toBeLessThan(0.1)
  for (const [query, parameter] of [
    ['', 'departure'],
    ['?departure=2020-11-21T17:30', 'departure'],
    ['?departure=2026-11-21T17:30&travel_minutes=soon', 'travel_minutes'],
  ] as const) {
    const refused = await get(query, 'svg')
    expect([refused.statusCode, refused.json().errors[0].parameter]).toEqual([400, parameter])
    expect(refused.headers['access-control-allow-origin']).toBe('*')
  }
  const shut = await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' })
  const refused = await shut.app.inject('/airports/JFK/leave-by.json?departure=2026-11-21T17:30')
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'PREMIUM_REQUIRED'])
  expect((await shut.app.inject('/compare.json?airports=JFK,LGA')).statusCode).toBe(403)
})
