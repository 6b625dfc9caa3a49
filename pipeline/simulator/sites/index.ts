import { atl } from './atl.ts'
import { aviationweather } from './aviationweather.ts'
import { avinor } from './avinor.ts'
import { berlinAirport } from './berlin-airport.ts'
import { catsa } from './catsa.ts'
import { cbp } from './cbp.ts'
import { cphwaitingtime } from './cphwaitingtime.ts'
import { dublinairport } from './dublinairport.ts'
import { dus } from './dus.ts'
import { edinburghairport } from './edinburghairport.ts'
import { faa } from './faa.ts'
import { finavia } from './finavia.ts'
import { flughafenZuerich } from './flughafen-zuerich.ts'
import { flyjacksonville } from './flyjacksonville.ts'
import { flysfo } from './flysfo.ts'
import { frankfurtAirport } from './frankfurt-airport.ts'
import { geographica } from './geographica.ts'
import { hamburgAirport } from './hamburg-airport.ts'
import { heathrow } from './heathrow.ts'
import { mobi } from './mobi.ts'
import { mobiPages } from './mobi-pages.ts'
import { panynj } from './panynj.ts'
import { portseattle } from './portseattle.ts'
import { schiphol } from './schiphol.ts'
import type { Site } from './site.ts'
import { swedavia } from './swedavia.ts'

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
  schiphol,
  heathrow,
  frankfurtAirport,
  dus,
  hamburgAirport,
  berlinAirport,
  cphwaitingtime,
  swedavia,
  avinor,
  finavia,
  flughafenZuerich,
  dublinairport,
  edinburghairport,
  geographica,
]
