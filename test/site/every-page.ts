import { EIGHT } from './eight-airports.ts'

/** The pages that anyone may see, by the names of their pictures, over the snapshot of eight airports. */
export const PAGES: [name: string, path: string][] = [
  ['start', '/'],
  ...Object.entries(EIGHT).map(([shape, iata]): [string, string] => [`airport-${shape}`, `/airports/${iata}`]),
  ['airport-plan', '/airports/JFK?departure=2026-11-21T17:30&travel_minutes=30#leave-by'],
  ['airport-unknown', '/airports/QQX'],
  ['search', '/search?q=new+york'],
  ['search-nothing', '/search?q=zzzzqqq'],
  ['start-delays', '/?colour=delay'],
  ['delays', '/delays'],
  ['compare', '/compare'],
  ['compare-wrong', '/compare?airports=JFK,QQQ'],
  ['compare-three', '/compare?airports=JFK,LGA,SEA'],
  ['accuracy', '/accuracy'],
  ['status', '/status'],
  ['data', '/data'],
  ['docs', '/docs'],
  ['docs-start', '/docs/start'],
  ['docs-mcp', '/docs/use/mcp'],
  ['docs-errors', '/docs/errors'],
  ['docs-tiers', '/docs/tiers'],
  ['docs-readme', '/docs/readme'],
  ['docs-settings', '/docs/operate/settings'],
  ['docs-sources', '/docs/sources'],
  ['docs-search', '/docs/search?q=key'],
  ['plans', '/plans'],
  ['sign-in', '/sign-in'],
  ['sign-up', '/signup'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['imprint', '/imprint'],
  ['nowhere', '/no-such-page'],
  ['embed', '/airports/LGA/embed'],
]

export const WALLS = Object.entries(EIGHT).map(([shape, iata]): [string, string] => [`wall-${shape}`, `/tv/${iata}`])

/** The pages of an account, for who is signed in. */
export const SIGNED_IN_PAGES: [name: string, path: string][] = [
  ['dashboard', '/dashboard'],
  ['account', '/account'],
  ['alerts', '/alerts'],
  ['plans-signed-in', '/plans'],
  ['connect-mcp', '/connect-mcp'],
]
