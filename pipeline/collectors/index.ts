import { HoldshortError } from '../../config/errors.ts'
import type { Collector } from '../parsing/collector.ts'
import { atl } from './atl.ts'
import { catsa } from './catsa.ts'
import { cbpAwt } from './cbp-awt.ts'
import { faaCollectors } from './faa/index.ts'
import { jaxHtml } from './jax-html.ts'
import { mobi } from './mobi.ts'
import { openstreetmap } from './openstreetmap.ts'
import { pageCollectors } from './pages.ts'
import { panynj } from './panynj.ts'
import { seaCwt } from './sea-cwt.ts'
import { sfoHtml } from './sfo-html.ts'
import { usCollectors } from './us.ts'
import { weatherCollectors } from './weather/index.ts'
import { worldCollectors } from './world.ts'

/** Collectors of queues: a new family is one file and one line here. */
export const waitCollectors: readonly Collector<'readings'>[] = [
  seaCwt,
  panynj,
  mobi,
  atl,
  sfoHtml,
  catsa,
  jaxHtml,
  cbpAwt,
  ...pageCollectors,
  ...usCollectors,
  ...worldCollectors,
]

export const collectors: readonly Collector[] = [
  ...waitCollectors,
  ...faaCollectors,
  ...weatherCollectors,
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
