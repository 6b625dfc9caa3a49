import type { Collector } from '../collector.ts'
import { readStatusTree, statusTree } from './faa/status-document.ts'

/**
 * Status of the US National Airspace System: one XML document with every program and closure in force. The address
 * answers XML whatever is asked for.
 */
export const faaNasStatus: Collector<'delays'> = {
  id: 'faa-nas-status',
  lands: 'delays',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'application/xml' }, body: null, iata: null },
  ],
  parse: (body, context) => readStatusTree(statusTree(body), context),
}
