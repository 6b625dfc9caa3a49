import { adr } from './adr.ts'
import { airportKr } from './airport-kr.ts'
import { atl } from './atl.ts'
import { aviationweather } from './aviationweather.ts'
import { brusselsairport } from './brusselsairport.ts'
import { catsa } from './catsa.ts'
import { cbp } from './cbp.ts'
import { dohahamadairport } from './dohahamadairport.ts'
import { faa } from './faa.ts'
import { flycolumbus } from './flycolumbus.ts'
import { flyjacksonville } from './flyjacksonville.ts'
import { flynashville } from './flynashville.ts'
import { flyoma } from './flyoma.ts'
import { flysanantonio } from './flysanantonio.ts'
import { flysfo } from './flysfo.ts'
import { flystl } from './flystl.ts'
import { iflychs } from './iflychs.ts'
import { istairport } from './istairport.ts'
import { mobi } from './mobi.ts'
import { mobiPages } from './mobi-pages.ts'
import { mspairport } from './mspairport.ts'
import { newdelhiairport } from './newdelhiairport.ts'
import { panynj } from './panynj.ts'
import { passngr } from './passngr.ts'
import { portseattle } from './portseattle.ts'
import type { Site } from './site.ts'
import { stuttgartAirport } from './stuttgart-airport.ts'
import { torontopearson } from './torontopearson.ts'
import { yvr } from './yvr.ts'
import { yyc } from './yyc.ts'

/** Every site of the simulated internet: a new one is one file and one line here. */
export const SITES: readonly Site[] = [
  portseattle,
  panynj,
  mobi,
  mobiPages,
  atl,
  flysfo,
  flyjacksonville,
  catsa,
  cbp,
  faa,
  aviationweather,
  mspairport,
  flynashville,
  flyoma,
  flysanantonio,
  iflychs,
  flycolumbus,
  flystl,
  torontopearson,
  yvr,
  yyc,
  stuttgartAirport,
  brusselsairport,
  adr,
  airportKr,
  newdelhiairport,
  dohahamadairport,
  istairport,
  passngr,
]
