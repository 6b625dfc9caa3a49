import { HoldshortError } from '../../config/errors.ts'
import type { Collector } from '../parsing/collector.ts'
import { aci } from './aci.ts'
import { aenaIndoor } from './aena-indoor.ts'
import { fromTheTrayTable, qsensor, waitport } from './aggregators.ts'
import { amsSchiphol } from './ams-schiphol.ts'
import { atl } from './atl.ts'
import { berApls } from './ber-apls.ts'
import { yvrCatsa, yycRms, yyzPearson } from './canadian-airports.ts'
import { catsa } from './catsa.ts'
import { cbpAwt } from './cbp-awt.ts'
import { cleLevels } from './cle-levels.ts'
import { cphAzure } from './cph-azure.ts'
import { delDial } from './del-dial.ts'
import { deltaNewshub } from './delta-newshub.ts'
import { denFlyfruition } from './den-flyfruition.ts'
import { dohXovis } from './doh-xovis.ts'
import { dusSitecore } from './dus-sitecore.ts'
import { chsHtml, jaxHtml, mspHtml, omaHtml, strHtml } from './element-pages.ts'
import { faaAirportEvents } from './faa/airport-events.ts'
import { faaEnrouteEvents } from './faa/enroute-events.ts'
import { faaNasStatus } from './faa/nas-status.ts'
import { dubDap, ediBlip, ham, ist } from './fixed-queues.ts'
import { fraWaz } from './fra-waz.ts'
import { helFinavia } from './hel-finavia.ts'
import { icn, icnDatagokr } from './icn.ts'
import { jsonList } from './json-list.ts'
import { kacCongestion, kacProcessTime } from './kac.ts'
import { laxHtml } from './lax-html.ts'
import { lhrPihub } from './lhr-pihub.ts'
import { locuslabs } from './locuslabs.ts'
import { mobi } from './mobi.ts'
import { openstreetmap } from './openstreetmap.ts'
import { ordFlychicago } from './ord-flychicago.ts'
import { panynj, panynjRest } from './panynj.ts'
import { phlLivereach } from './phl-livereach.ts'
import { pitAzure } from './pit-azure.ts'
import { mwaa, pdxTsa } from './posted-lanes.ts'
import { satHtml } from './sat-html.ts'
import { seaCwt } from './sea-cwt.ts'
import { sfoHtml } from './sfo-html.ts'
import { slcOfficial } from './slc-official.ts'
import { stlHtml } from './stl-html.ts'
import { swedavia, swedaviaKeyed } from './swedavia.ts'
import { bnaHtml, bruHtml, cmhHtml, fcoHtml } from './text-pages.ts'
import { avinorOsl, syd } from './wait-lists.ts'
import { awcMetar } from './weather/metar.ts'
import { nwsAlerts, nwsZones } from './weather/nws.ts'
import { awcTaf } from './weather/taf.ts'
import { zensors } from './zensors.ts'
import { zrh } from './zrh.ts'

/** Collectors of waits in queues, which land in the table of readings. */
export const waitCollectors: readonly Collector<'readings'>[] = [
  seaCwt,
  panynj,
  mobi,
  atl,
  sfoHtml,
  catsa,
  jaxHtml,
  cbpAwt,
  mspHtml,
  laxHtml,
  deltaNewshub,
  bnaHtml,
  omaHtml,
  satHtml,
  chsHtml,
  cmhHtml,
  stlHtml,
  yyzPearson,
  yvrCatsa,
  yycRms,
  strHtml,
  bruHtml,
  fcoHtml,
  fromTheTrayTable,
  qsensor,
  waitport,
  aci,
  denFlyfruition,
  zensors,
  pitAzure,
  jsonList,
  mwaa,
  ordFlychicago,
  pdxTsa,
  slcOfficial,
  phlLivereach,
  cleLevels,
  panynjRest,
  locuslabs,
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
  kacProcessTime,
  kacCongestion,
  syd,
]

/** Every collector. A new one is a file (or a member of a family's file) and a line in this list. */
export const collectors: readonly Collector[] = [
  ...waitCollectors,
  faaNasStatus,
  faaAirportEvents,
  faaEnrouteEvents,
  awcMetar,
  awcTaf,
  nwsAlerts,
  nwsZones,
  openstreetmap,
]

/** The collector that `collector` in config/sources.json names. @throws HoldshortError SOURCE_UNKNOWN */
export function collectorById(id: string): Collector {
  const found = collectors.find((collector) => collector.id === id)
  if (found) return found
  throw new HoldshortError(
    'SOURCE_UNKNOWN',
    `collector: "${id}" is not one of ${collectors.map((c) => c.id).join(', ')}`,
  )
}
