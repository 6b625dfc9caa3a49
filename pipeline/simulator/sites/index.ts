import { adr } from './adr.ts'
import { airportKr } from './airport-kr.ts'
import { atl } from './atl.ts'
import { aviationweather } from './aviationweather.ts'
import { avinor } from './avinor.ts'
import { berlinAirport } from './berlin-airport.ts'
import { brusselsairport } from './brusselsairport.ts'
import { catsa } from './catsa.ts'
import { cbp } from './cbp.ts'
import { cphwaitingtime } from './cphwaitingtime.ts'
import { dohahamadairport } from './dohahamadairport.ts'
import { dublinairport } from './dublinairport.ts'
import { dus } from './dus.ts'
import { edinburghairport } from './edinburghairport.ts'
import { faa } from './faa.ts'
import { finavia } from './finavia.ts'
import { flughafenZuerich } from './flughafen-zuerich.ts'
import { flycolumbus } from './flycolumbus.ts'
import { flyjacksonville } from './flyjacksonville.ts'
import { flynashville } from './flynashville.ts'
import { flyoma } from './flyoma.ts'
import { flysanantonio } from './flysanantonio.ts'
import { flysfo } from './flysfo.ts'
import { flystl } from './flystl.ts'
import { frankfurtAirport } from './frankfurt-airport.ts'
import { geographica } from './geographica.ts'
import { hamburgAirport } from './hamburg-airport.ts'
import { heathrow } from './heathrow.ts'
import { iflychs } from './iflychs.ts'
import { istairport } from './istairport.ts'
import { mobi } from './mobi.ts'
import { mobiPages } from './mobi-pages.ts'
import { mspairport } from './mspairport.ts'
import { newdelhiairport } from './newdelhiairport.ts'
import { panynj } from './panynj.ts'
import { passngr } from './passngr.ts'
import { portseattle } from './portseattle.ts'
import { schiphol } from './schiphol.ts'
import type { Site } from './site.ts'
import { stuttgartAirport } from './stuttgart-airport.ts'
import { swedavia } from './swedavia.ts'
import { torontopearson } from './torontopearson.ts'
import { yvr } from './yvr.ts'
import { yyc } from './yyc.ts'

/** Every site of the simulated internet: a new one is one file and one line here. */
export const SITES: readonly Site[] = [
  adr,
  airportKr,
  atl,
  aviationweather,
  avinor,
  berlinAirport,
  brusselsairport,
  catsa,
  cbp,
  cphwaitingtime,
  dohahamadairport,
  dublinairport,
  dus,
  edinburghairport,
  faa,
  finavia,
  flughafenZuerich,
  flycolumbus,
  flyjacksonville,
  flynashville,
  flyoma,
  flysanantonio,
  flysfo,
  flystl,
  frankfurtAirport,
  geographica,
  hamburgAirport,
  heathrow,
  iflychs,
  istairport,
  mobi,
  mobiPages,
  mspairport,
  newdelhiairport,
  panynj,
  passngr,
  portseattle,
  schiphol,
  stuttgartAirport,
  swedavia,
  torontopearson,
  yvr,
  yyc,
]
