import { aci } from './aci.ts'
import { atl } from './atl.ts'
import { aviationweather } from './aviationweather.ts'
import { bwiairport } from './bwiairport.ts'
import { catsa } from './catsa.ts'
import { cbp } from './cbp.ts'
import { clevelandairport } from './clevelandairport.ts'
import { delta } from './delta.ts'
import { faa } from './faa.ts'
import { flychicago } from './flychicago.ts'
import { flyfruition } from './flyfruition.ts'
import { flyjacksonville } from './flyjacksonville.ts'
import { flypdx } from './flypdx.ts'
import { flypittsburgh } from './flypittsburgh.ts'
import { flysfo } from './flysfo.ts'
import { keyedPages } from './keyed-pages.ts'
import { metroairport } from './metroairport.ts'
import { mobi } from './mobi.ts'
import { mobiPages } from './mobi-pages.ts'
import { mwaa } from './mwaa.ts'
import { panynj } from './panynj.ts'
import { panynjCustoms } from './panynj-customs.ts'
import { phl } from './phl.ts'
import { portseattle } from './portseattle.ts'
import type { Site } from './site.ts'
import { slcairport } from './slcairport.ts'
import { zensors } from './zensors.ts'

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
  aci,
  bwiairport,
  keyedPages,
  zensors,
  clevelandairport,
  delta,
  flychicago,
  flyfruition,
  flypdx,
  flypittsburgh,
  metroairport,
  mwaa,
  panynjCustoms,
  phl,
  slcairport,
]
