import type { Collector } from '../parsing/collector.ts'
import { bnaHtml } from './bna-html.ts'
import { bruHtml } from './bru-html.ts'
import { chsHtml } from './chs-html.ts'
import { cmhHtml } from './cmh-html.ts'
import { deltaNewshub } from './delta-newshub.ts'
import { fcoHtml } from './fco-html.ts'
import { fromTheTrayTable } from './fromthetraytable.ts'
import { laxHtml } from './lax-html.ts'
import { mspHtml } from './msp-html.ts'
import { myrHtml } from './myr-html.ts'
import { omaHtml } from './oma-html.ts'
import { qsensor } from './qsensor.ts'
import { satHtml } from './sat-html.ts'
import { stlHtml } from './stl-html.ts'
import { strHtml } from './str-html.ts'
import { waitport } from './waitport.ts'
import { yvrCatsa } from './yvr-catsa.ts'
import { yycRms } from './yyc-rms.ts'
import { yyzPearson } from './yyz-pearson.ts'

/** Pages of single airports, Canada's own feeds, and the aggregators that check them. */
export const pageCollectors: readonly Collector<'readings'>[] = [
  mspHtml,
  laxHtml,
  deltaNewshub,
  bnaHtml,
  omaHtml,
  satHtml,
  chsHtml,
  cmhHtml,
  stlHtml,
  myrHtml,
  yyzPearson,
  yvrCatsa,
  yycRms,
  strHtml,
  bruHtml,
  fcoHtml,
  fromTheTrayTable,
  qsensor,
  waitport,
]
