import { hashOf } from '../model/noise.ts'
import { MOBI_FEEDS } from './american-feeds.ts'
import { filled, urlOf } from './feed.ts'
import { type Site, text } from './site.ts'

/** A page whose script requests a feed with a key; the place of the key differs from site to site. */
interface KeyedPage {
  path: string
  /** Host of the feed that the key is for. */
  feed: string
  /** Path of its script bundle, without the digest of the version. */
  bundle: string
  script: string
}

/** The pages of the airports of the vendor mobi, beside a script bundle without keys. */
const mobiPage = (feed: string): KeyedPage => ({
  path: '/',
  feed,
  bundle: '_next/static/chunks/main',
  script: 'mobi.js',
})
const FRAMEWORK = '_next/static/chunks/framework-2c79e2a64abdb08b.js'

const PAGES: Record<string, KeyedPage> = {
  'flymco.com': mobiPage('api.goaa.aero'),
  'www.fly2houston.com': mobiPage('api.houstonairports.mobi'),
  'www.dfwairport.com': mobiPage('api.dfwairport.mobi'),
  'www.cltairport.com': mobiPage('api.cltairport.mobi'),
  'www.cvgairport.com': mobiPage('api.cvgairport.mobi'),
  'www.miami-airport.com': {
    path: '/tsa-waittimes.asp',
    feed: 'waittime.api.aero',
    bundle: 'js/wait-times/main',
    script: 'miami-airport.js',
  },
  'www.skyharbor.com': { path: '/', feed: 'api.phx.aero', bundle: 'scripts/home', script: 'skyharbor.js' },
  // Another widget of the page has a key of the same header, far from this one.
  'www.flydenver.com': {
    path: '/security/',
    feed: 'app.flyfruition.com',
    bundle: 'assets/widgets',
    script: 'flydenver.js',
  },
  'flypittsburgh.com': {
    path: '/pittsburgh-international-airport/security/',
    feed: 'acaa-dna-api-prod.azure-api.net',
    bundle: 'wp-content/tsa',
    script: 'flypittsburgh.js',
  },
}

/** Airports' own pages, whose scripts contain the key of a feed. Key and script name are new every week. */
export const keyedPages: Site = {
  hosts: Object.keys(PAGES),
  answer: ({ host, path }, { keysOf }) => {
    const page = PAGES[host]
    if (!page) return null
    const { key, version } = keysOf(page.feed)
    const bundle = `${page.bundle}.${hashOf(host + key).toString(16)}.js`
    const isMobi = page.script === 'mobi.js'
    if (path === page.path) return filled('keyed-page.html', { host, bundle, framework: isMobi ? FRAMEWORK : null })
    if (isMobi && path === `/${FRAMEWORK}`) return text('self.__NEXT_P=[];\n', 200, 'application/javascript')
    if (path !== `${page.path.replace(/[^/]*$/, '')}${bundle}`) return null
    return filled(page.script, {
      // Both hosts are under one address when the simulated world serves them.
      base: `var base=location.pathname.indexOf("/${host}/")===0?location.origin+"/":"https:"+"//";`,
      key,
      version,
      other_key: hashOf(key).toString(16),
      far: '/* parking widget */'.repeat(60),
      apis: MOBI_FEEDS.map(urlOf).flatMap((url) => (url.host === page.feed ? [{ api: url.host + url.pathname }] : [])),
    })
  },
}
