import { hashOf } from '../model/noise.ts'
import { html, type Site, text } from './site.ts'

/** A page whose script requests a feed with a key; the place of the key differs from site to site. */
interface KeyedPage {
  path: string
  /** Host of the feed that the key is for. */
  feed: string
  /** Path of its script bundle, without the digest of the version. */
  bundle: string
  /** The statements that request the feed; `base` is the part of the address before its host. */
  script: (key: string) => string
}

const PAGES: Record<string, KeyedPage> = {
  'www.miami-airport.com': {
    path: '/tsa-waittimes.asp',
    feed: 'waittime.api.aero',
    bundle: 'js/wait-times/main',
    script: (key) => `fetch(base+"waittime.api.aero/waittime/v2/current/MIA",{headers:{"x-apikey":"${key}"}});`,
  },
  'www.skyharbor.com': {
    path: '/',
    feed: 'api.phx.aero',
    bundle: 'scripts/home',
    script: (key) => `fetch(base+"api.phx.aero/avn-wait-times/raw?Key=${key}");`,
  },
  'www.flydenver.com': {
    path: '/security/',
    feed: 'app.flyfruition.com',
    bundle: 'assets/widgets',
    // Another widget of the page has a key of the same header, far from this one.
    script: (key) => `var parking={headers:{"x-api-key":"${hashOf(key).toString(16)}-parking"}};
${'/* parking widget */'.repeat(60)}
fetch(base+"app.flyfruition.com/api/public/tsa",{headers:{"x-api-key":"${key}"}});`,
  },
  'flypittsburgh.com': {
    path: '/pittsburgh-international-airport/security/',
    feed: 'acaa-dna-api-prod.azure-api.net',
    bundle: 'wp-content/tsa',
    script: (key) =>
      `fetch(base+"acaa-dna-api-prod.azure-api.net/tsa/wait-times",{headers:{"Ocp-Apim-Subscription-Key":"${key}"}});`,
  },
}

/** Airports' own pages, whose scripts contain the key of a feed. Key and script name are new every week. */
export const keyedPages: Site = {
  hosts: Object.keys(PAGES),
  answer: ({ host, path }, { keysOf }) => {
    const page = PAGES[host]
    if (!page) return null
    const { key } = keysOf(page.feed)
    const bundle = `${page.bundle}.${hashOf(host + key).toString(16)}.js`
    if (path === page.path)
      return html(`<!doctype html><html lang="en"><head><title>${host}</title></head><body>
<h1>Security wait times</h1><script src="${bundle}"></script></body></html>`)
    if (path !== `${page.path.replace(/[^/]*$/, '')}${bundle}`) return null
    // Both hosts are under one address when the simulated world serves them.
    const base = `var base=location.pathname.indexOf("/${host}/")===0?location.origin+"/":"https:"+"//";`
    return text(`(function(){${base}\n${page.script(key)}\n})();\n`, 200, 'application/javascript')
  },
}
