import { aci } from './aci.ts'
import { atl } from './atl.ts'
import { aviationweather } from './aviationweather.ts'
import { bwiairport } from './bwiairport.ts'
import { catsa } from './catsa.ts'
import { cbp } from './cbp.ts'
import { faa } from './faa.ts'
import { flyjacksonville } from './flyjacksonville.ts'
import { flysfo } from './flysfo.ts'
import { keyedPages } from './keyed-pages.ts'
import { mobi } from './mobi.ts'
import { mobiPages } from './mobi-pages.ts'
import { panynj } from './panynj.ts'
import { portseattle } from './portseattle.ts'
import type { Site } from './site.ts'
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
]
