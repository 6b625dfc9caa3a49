import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { parseAs } from './context.ts'

/** A payload with one queue in the format of each source: a text is the body itself, any other value is sent as JSON. */
const ONE_QUEUE: Record<string, [iata: string, payload: (wait: unknown, more: object) => unknown]> = {
  'aci-phx': ['PHX', (wait, more) => ({ current: [{ queueName: 'T3 General', projectedWaitTime: wait, ...more }] })],
  'aena-indoor': [
    'PMI',
    (wait, more) => [{ id: 'LEPA_S0001', last_wait_s: wait, expires: '2026-11-21T10:10:00Z', ...more }],
  ],
  'ams-schiphol': ['AMS', (wait, more) => ({ VF1: { waitTimeInSeconds: wait, ...more } })],
  'atl-html': [
    'ATL',
    (wait) =>
      `<div class="nesclasser2"><div class="row"><h2>North</h2><h3>CHECKPOINT</h3><div class="declasser3"><button><span>${wait}</span></button></div></div></div>`,
  ],
  'avinor-osl': ['OSL', (wait, more) => [{ area: 'csc', timeSecond: wait, ...more }]],
  'bna-html': ['BNA', (wait) => `<h3>TSA Wait Times</h3><h4>${wait}</h4>`],
  'bwi-json': ['BWI', (wait) => ({ waittimes: [{ Queue_Name: 'Checkpoint A General', Projected_Wait_Time: wait }] })],
  'catsa-html': [
    'YYZ',
    (wait) =>
      `<table><tr><th>Checkpoint</th><th>Wait time</th></tr><tr><td>T1 United States</td><td>${wait}</td></tr></table>`,
  ],
  'cph-azure': ['CPH', (wait) => ({ t2WaitingTimeInterval: wait })],
  'del-dial': ['DEL', (wait) => ({ data: { Security: [{ queueId: 'Security 1', waiting_time: wait }] } })],
  'den-flyfruition': [
    'DEN',
    (wait, more) => [{ title: 'East', lanes: [{ title: 'General', wait_time: wait, ...more }] }],
  ],
  'doh-xovis': [
    'DOH',
    (wait) => ({ checkpoints: [{ checkpoint_name: 'Departure Security', queues: [{ wait_time: wait }] }] }),
  ],
  'dtw-skyfii': ['DTW', (wait) => [{ Name: 'Evans', WaitTime: wait }]],
  'dub-dap': ['DUB', (wait) => ({ T1: wait })],
  'edi-blip': ['EDI', (wait) => ({ minutes: wait })],
  'fra-waz': ['FRA', (wait) => ({ data: [{ kat: 'Security checkpoint', ps: 'Concourse A', status: wait }] })],
  ham: ['HAM', (wait, more) => ({ waitingTime: wait, ...more })],
  'icn-keyless': ['ICN', (wait, more) => [{ gateId: 'DG1_E', gateStts: 'OP', wtngTm: wait, ...more }]],
  ist: ['IST', (wait) => ({ result: { gateWaitTime: wait } })],
  'jax-html': [
    'JAX',
    (wait) => `<div class="label">Standard</div><div class="time"><span class="bold">${wait}</span></div>`,
  ],
  'lhr-pihub': [
    'LHR',
    (wait, more) => [
      {
        checkpointFacility: { checkpointFacilityType: { code: 'securityStandard' }, terminalFacility: { code: '5' } },
        queueMeasurements: [{ name: 'maximumWaitTime', value: wait, unitOfMeasurement: { name: 'minute' } }],
        ...more,
      },
    ],
  ],
  'mobi-clt': [
    'CLT',
    (wait, more) => ({ data: { wait_times: [{ name: 'Checkpoint 2', lane: 'main', waitSeconds: wait, ...more }] } }),
  ],
  'mobi-iah': [
    'IAH',
    (wait, more) => ({
      data: { wait_times: [{ name: 'IAH Terminal A North Premier', lane: 'main', waitSeconds: wait, ...more }] },
    }),
  ],
  'msp-html': [
    'MSP',
    (wait) =>
      `<div class="security-wait-time"><div class="security-wait-time__checkpoint-name">T1 North</div><div class="security-wait-time__time">${wait}</div></div>`,
  ],
  'muc-passngr': [
    'MUC',
    (wait) => ({ queueTimes: { current: [{ queueId: 'T2_Abflug_SIKO_ECO_NORD', projectedWaitTime: wait }] } }),
  ],
  'mwaa-dca': ['DCA', (wait) => ({ response: { res: { A: { location: 'Terminal 2', waittime: wait } } } })],
  'ord-flychicago': ['ORD', (wait) => [{ name: 'Queues.ORD.T2C5GeneralWaitTime', waitTimes: wait }]],
  'panynj-graphql': [
    'EWR',
    (wait, more) => ({ data: { securityWaitTimes: [{ terminal: 'A', queueType: 'Reg', waitTime: wait, ...more }] } }),
  ],
  'pdx-tsa': [
    'PDX',
    (wait) => ({
      WaitTimes: [{ CounterName: 'NorthGeneral', EstimatedDwell: 224, Occupancy: 41, DisplayText: wait }],
      NorthCheckpointClosed: false,
    }),
  ],
  'kac-process-time': [
    'GMP',
    (wait) => ({
      response: {
        header: { resultCode: '00' },
        body: { items: { item: { IATA_APCD: 'GMP', OPR_STS_CD: '1', STY_TCT_AVG_B: wait } } },
      },
    }),
  ],
  'phl-livereach': ['PHL', (wait) => ({ content: { rows: [['3971', wait]] } })],
  'pit-azure': [
    'PIT',
    (wait, more) => [
      { checkpointName: 'Main', queueId: 'TMP_PreCheck', waitTime: wait, canDisplayData: true, ...more },
    ],
  ],
  'sea-cwt': ['SEA', (wait, more) => [{ Name: '2', WaitTimeMinutes: wait, ...more }]],
  'sita-mia': ['MIA', (wait, more) => ({ current: [{ queueName: '2 General', projectedWaitTime: wait, ...more }] })],
  'slc-official': ['SLC', (wait) => ({ code: 'SLC', rightnow: wait })],
  'swedavia-keyed': ['ARN', (wait) => ({ waitTimes: [{ queueName: 'Terminal 5', currentProjectedWaitTime: wait }] })],
  'swedavia-keyless': [
    'ARN',
    (wait, more) => ({ queueTimesList: [{ name: '5', interval: '', currentProjectedQueueTime: wait, ...more }] }),
  ],
  'yvr-catsa': ['YVR', (wait, more) => ({ value: [{ Terminal: 'USA', WaitTime: wait, ...more }] })],
  'yyz-pearson': [
    'YYZ',
    (wait) => ({ checkpoints: [{ nameEn: 'Domestic D', waitTimeInSecond: wait, departure: true }] }),
  ],
  'zensors-las': [
    'LAS',
    (wait, more) => [{ result: { data: { paths: { standard: { open: true, waitTime: { value: wait }, ...more } } } } }],
  ],
  'zrh-security': ['ZRH', (wait) => ({ maxWaitingTime: wait })],
}

/**
 * What becomes of one queue of a source. A line of `values/one-queue.txt`: source | the wait that it publishes | more fields of the row |
 * minutes and range, status, lane and time of each row, with its text, and `!` with the code of each notice.
 */
const GROUPS = readFileSync(projectFile('test/pipeline/collectors/values/one-queue.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((group) => group.trim().split('\n'))

function lineOf(row: ParsedReading): string {
  const { wait_minutes, wait_minutes_low: low, wait_minutes_high: high, wait_text } = row
  const range = low === null && high === null ? '' : ` (${low ?? ''} to ${high ?? ''})`
  const time = row.observed_at_basis === 'fetch' ? 'fetch' : row.observed_at
  const text = wait_text === null ? [] : [JSON.stringify(wait_text)]
  return [`${wait_minutes ?? 'none'}${range}`, row.status, row.lane, time, ...text].join(', ')
}

describe.each(GROUPS)('%s', (_title, ...lines) => {
  it.each(lines)('%s', (line) => {
    const [source = '', wait = '', more = '', expected] = line.split(' | ')
    const [iata, payload] = ONE_QUEUE[source]!
    const body = payload(JSON.parse(wait), JSON.parse(more))
    const { readings, notices } = parseAs(source, typeof body === 'string' ? body : JSON.stringify(body), iata)
    expect([...readings.map(lineOf), ...notices.map(({ code }) => `! ${code}`)].join('; ') || 'left out').toBe(expected)
  })
})
