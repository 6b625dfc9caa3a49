import { AMERICAN_FEEDS } from './american-feeds.ts'
import { AMERICAN_PAGES } from './american-pages.ts'
import { aviationweather } from './aviationweather.ts'
import { CANADIAN_AND_ASIAN_FEEDS } from './canadian-and-asian-feeds.ts'
import { cbp } from './cbp.ts'
import { EUROPEAN_FEEDS } from './european-feeds.ts'
import { faa } from './faa.ts'
import { type Feed, feedSites } from './feed.ts'
import { keyedPages } from './keyed-pages.ts'
import { overpass } from './overpass.ts'
import type { Site } from './site.ts'
import { weatherGov } from './weather-gov.ts'

/** Every feed and page with queues. */
export const FEEDS: readonly Feed[] = [
  ...AMERICAN_FEEDS,
  ...AMERICAN_PAGES,
  ...EUROPEAN_FEEDS,
  ...CANADIAN_AND_ASIAN_FEEDS,
]

/** Every site of the simulated world. */
export const SITES: readonly Site[] = [...feedSites(FEEDS), aviationweather, cbp, faa, keyedPages, overpass, weatherGov]
