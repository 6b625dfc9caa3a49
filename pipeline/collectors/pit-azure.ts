import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { NO_BAND } from '../parsing/no-band.ts'
import { statusSaid } from '../parsing/status-said.ts'

const KEY_HEADER = 'Ocp-Apim-Subscription-Key'

/** Pittsburgh's own service. The key stands in the security page's script and is learnt there (seen 2026-08). */
export const pitAzure: Collector<'readings'> = {
  id: 'pit-azure',
  lands: 'readings',
  transport: 'http',
  learn: {
    page_url: (source) => source.page_url ?? source.url,
    url_contains: (source) => source.url,
    headers: { subscription_key: KEY_HEADER },
    fromScript: (script) => {
      const subscription_key = new RegExp(`${KEY_HEADER}["']?\\s*[:,=]\\s*["'\`]([\\w-]{8,})["'\`]`, 'i').exec(
        script,
      )?.[1]
      return subscription_key === undefined ? null : { subscription_key }
    },
  },
  request: ({ source, learned_keys: learnt }) => {
    const page = source.page_url ?? source.url
    return [
      {
        url: source.url,
        method: 'GET',
        headers: {
          Accept: 'application/json',
          Origin: new URL(page).origin,
          Referer: page,
          ...(learnt.subscription_key === undefined ? {} : { [KEY_HEADER]: learnt.subscription_key }),
        },
        body: null,
        iata: source.airports[0] ?? null,
      },
    ]
  },
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(jsonBody(body), '$').flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices))
    return finish(rows, notices, context)
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const checkpoint = isObject(row) ? textOf(row.checkpointName) || textOf(row.checkpointId) : ''
  if (!isObject(row) || checkpoint === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A queue has no checkpoint.', row, iata))
    return []
  }
  // The site does not show these rows; they carry numbers all the same.
  if (row.canDisplayData === false) return []
  const id = textOf(row.queueId).replace(/^TMP_/, '')
  const lane = laneSaid(id || textOf(row.queueName), { path: `${path}.queueId`, iata, notices })
  if (lane === null) return []
  return [
    {
      kind: 'security',
      iata,
      terminal: '',
      checkpoint,
      lane,
      observed_at: context.fetched_at,
      observed_at_basis: 'fetch',
      wait_minutes: readMinutes(row.waitTime, 'minutes', { path: `${path}.waitTime`, iata, notices }),
      ...NO_BAND,
      status: statusSaid(row.status),
    },
  ]
}
