import type { Collector } from '../parsing/collector.ts'
import { aenaIndoor } from './aena-indoor.ts'
import { amsSchiphol } from './ams-schiphol.ts'
import { avinorOsl } from './avinor-osl.ts'
import { berApls } from './ber-apls.ts'
import { bkkSawasdee } from './bkk-sawasdee.ts'
import { cphAzure } from './cph-azure.ts'
import { delDial } from './del-dial.ts'
import { dohXovis } from './doh-xovis.ts'
import { dubDap } from './dub-dap.ts'
import { dusSitecore } from './dus-sitecore.ts'
import { ediBlip } from './edi-blip.ts'
import { fraWaz } from './fra-waz.ts'
import { ham } from './ham.ts'
import { helFinavia } from './hel-finavia.ts'
import { icn } from './icn.ts'
import { icnDatagokr } from './icn-datagokr.ts'
import { ist } from './ist.ts'
import { lhrPihub } from './lhr-pihub.ts'
import { swedavia } from './swedavia.ts'
import { swedaviaKeyed } from './swedavia-keyed.ts'
import { syd } from './syd.ts'
import { zrh } from './zrh.ts'

/** Collectors of queues outside North America. */
export const worldCollectors: readonly Collector<'readings'>[] = [
  amsSchiphol,
  lhrPihub,
  fraWaz,
  dusSitecore,
  ham,
  berApls,
  cphAzure,
  swedavia,
  swedaviaKeyed,
  avinorOsl,
  helFinavia,
  zrh,
  dubDap,
  ediBlip,
  aenaIndoor,
  ist,
  dohXovis,
  delDial,
  icn,
  icnDatagokr,
  syd,
  bkkSawasdee,
]
