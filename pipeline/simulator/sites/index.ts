import { aci } from './aci.ts'
import { airportKr } from './airport-kr.ts'
import { atl } from './atl.ts'
import { aviationweather } from './aviationweather.ts'
import { avinor } from './avinor.ts'
import { berlinAirport } from './berlin-airport.ts'
import { bwiairport } from './bwiairport.ts'
import { catsa } from './catsa.ts'
import { cbp } from './cbp.ts'
import { clevelandairport } from './clevelandairport.ts'
import { delta } from './delta.ts'
import { dohahamadairport } from './dohahamadairport.ts'
import { dublinairport } from './dublinairport.ts'
import { dus } from './dus.ts'
import { faa } from './faa.ts'
import { FEED_SITES } from './feeds.ts'
import { finavia } from './finavia.ts'
import { flughafenZuerich } from './flughafen-zuerich.ts'
import { flychicago } from './flychicago.ts'
import { flycolumbus } from './flycolumbus.ts'
import { flyfruition } from './flyfruition.ts'
import { flypdx } from './flypdx.ts'
import { flypittsburgh } from './flypittsburgh.ts'
import { flysanantonio } from './flysanantonio.ts'
import { flysfo } from './flysfo.ts'
import { flystl } from './flystl.ts'
import { frankfurtAirport } from './frankfurt-airport.ts'
import { geographica } from './geographica.ts'
import { heathrow } from './heathrow.ts'
import { keyedPages } from './keyed-pages.ts'
import { mobi, mobiPages } from './mobi.ts'
import { mspairport } from './mspairport.ts'
import { mwaa } from './mwaa.ts'
import { newdelhiairport } from './newdelhiairport.ts'
import { overpass } from './overpass.ts'
import { panynj, panynjCustoms } from './panynj.ts'
import { passngr } from './passngr.ts'
import { phl } from './phl.ts'
import { portseattle } from './portseattle.ts'
import { schiphol } from './schiphol.ts'
import type { Site } from './site.ts'
import { slcairport } from './slcairport.ts'
import { swedavia } from './swedavia.ts'
import { torontopearson } from './torontopearson.ts'
import { yvr } from './yvr.ts'
import { yyc } from './yyc.ts'
import { zensors } from './zensors.ts'

/** Every site of the simulated world. A new site is one file and one line here. */
export const SITES: readonly Site[] = [
  ...FEED_SITES,
  aci,
  airportKr,
  atl,
  aviationweather,
  avinor,
  berlinAirport,
  bwiairport,
  catsa,
  cbp,
  clevelandairport,
  delta,
  dohahamadairport,
  dublinairport,
  dus,
  faa,
  finavia,
  flughafenZuerich,
  flychicago,
  flycolumbus,
  flyfruition,
  flypdx,
  flypittsburgh,
  flysanantonio,
  flysfo,
  flystl,
  frankfurtAirport,
  geographica,
  heathrow,
  keyedPages,
  mobi,
  mobiPages,
  mspairport,
  mwaa,
  newdelhiairport,
  overpass,
  panynj,
  panynjCustoms,
  passngr,
  phl,
  portseattle,
  schiphol,
  slcairport,
  swedavia,
  torontopearson,
  yvr,
  yyc,
  zensors,
]
