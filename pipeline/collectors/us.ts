import type { Collector } from '../parsing/collector.ts'
import { aci } from './aci.ts'
import { cleLevels } from './cle-levels.ts'
import { denFlyfruition } from './den-flyfruition.ts'
import { dtwSkyfii } from './dtw-skyfii.ts'
import { locuslabs } from './locuslabs.ts'
import { mwaa } from './mwaa.ts'
import { ordFlychicago } from './ord-flychicago.ts'
import { panynjRest } from './panynj-rest.ts'
import { pdxTsa } from './pdx-tsa.ts'
import { phlLivereach } from './phl-livereach.ts'
import { pitAzure } from './pit-azure.ts'
import { slcOfficial } from './slc-official.ts'
import { zensors } from './zensors.ts'

/** JSON feeds of American airports (MUC speaks the shape of MIA). */
export const usCollectors: readonly Collector<'readings'>[] = [
  aci,
  denFlyfruition,
  zensors,
  pitAzure,
  dtwSkyfii,
  mwaa,
  ordFlychicago,
  pdxTsa,
  slcOfficial,
  phlLivereach,
  cleLevels,
  panynjRest,
  locuslabs,
]
