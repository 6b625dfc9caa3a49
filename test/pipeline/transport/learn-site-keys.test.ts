import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aci } from '../../../pipeline/collectors/aci.ts'
import { zensors } from '../../../pipeline/collectors/zensors.ts'
import { createBrowserClient } from '../../../pipeline/transport/browser-client.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { learnSiteKeys } from '../../../pipeline/transport/learn-site-keys.ts'
import { type LocalSite, openLocalSite, text } from '../local-site.ts'
import { hasBrowser } from '../real-browser.ts'
import { testSource } from '../test-source.ts'

const found = await hasBrowser()
const PAGE = 'https://www.keyed.example/'
const FEED = 'https://api.keyed.example/avn-wait-times/raw'
const keyed = testSource({ collector: 'aci', url: FEED, page_url: PAGE, options: { key: 'query' } })
const framed = testSource({ url: 'https://embed.zensors.live/api/update', page_url: PAGE, airports: ['LAS'] })
const frame = '<iframe src="https://embed.zensors.live/LAS/made-up/waitTimeExplorer?token=made-up-token"></iframe>'

let site: LocalSite
beforeAll(async () => {
  site = await openLocalSite()
})
afterAll(() => site.close())

const showPage = (html: string) => site.pages.set('/www.keyed.example/', text(html, 'text/html'))
const httpClient = () =>
  createHttpClient({ version: '1', contact: 'x@example.org', simulated_world: site.url, retries: 0 })

describe('learning the keys of a site', () => {
  it('requests no page where a source of the family needs no key', async () => {
    site.seen.length = 0
    const open = { ...keyed, options: {} }
    expect(await learnSiteKeys(aci.learn!, open, { http: httpClient(), browser: null })).toEqual({})
    expect(site.seen).toEqual([])
  })

  it('reads the keys of a frame in the page over HTTP', async () => {
    showPage(`<!doctype html>${frame}`)
    const learned = await learnSiteKeys(zensors.learn!, framed, { http: httpClient(), browser: null })
    expect(learned).toEqual({ slug: 'made-up', token: 'made-up-token' })
  })

  it('throws an error where a recipe without headers finds nothing', async () => {
    showPage('<!doctype html>')
    const asking = learnSiteKeys(zensors.learn!, framed, { http: httpClient(), browser: null })
    await expect(asking).rejects.toThrow(`${PAGE}: its keys could not be learned from the page`)
  })
})

describe.skipIf(!found)('learning the keys of a site with a browser', () => {
  const learn = async (recipe: NonNullable<typeof aci.learn>, source: typeof keyed) => {
    const http = httpClient()
    const browser = createBrowserClient({ http: http, timeout_ms: 8_000 })
    return browser.learnKeys(source, recipe).finally(() => browser.close())
  }

  it("reads the key in the address of the page's own request", async () => {
    // Composed by the script, so that the text of the page does not contain it.
    showPage(`<!doctype html><script>fetch('${FEED}?K' + 'ey=made-up-key')</script>`)
    expect(await learn(aci.learn!, keyed)).toEqual({ api_key: 'made-up-key' })
  })

  it('reads the keys in the address of a frame that a script adds', async () => {
    const start = frame.slice(0, 30)
    const end = frame.slice(30, -9)
    showPage(`<!doctype html><div id="box"></div><script>box.innerHTML = '${start}' + '${end}'</script>`)
    expect(await learn(zensors.learn!, framed)).toEqual({ slug: 'made-up', token: 'made-up-token' })
  })
})
