import { expect, it } from 'vitest'
import { FETCHED, parseAs, sharedFile } from './context.ts'
import { readingLine } from './feed-tests.ts'

/** Answers of sites as they were saved, and payloads made of documented values: the file, when it was fetched, and its rows. */
const PAYLOADS: [source: string, iata: string, fetched_at: string, path: string, rows: string[]][] = [
  [
    'dtw-skyfii',
    'DTW',
    FETCHED,
    'samples/dtw-skyfii/2026-07.json',
    ['Evans||all|21|||unknown', 'McNamara||all|5|||unknown'],
  ],
  [
    'phl-livereach',
    'PHL',
    FETCHED,
    'samples-constructed/phl-livereach/metrics.json',
    ['C||all|4|||unknown', 'A-East||precheck|6|||unknown', 'D/E||standard|8|||unknown'],
  ],
  ['zrh-security', 'ZRH', FETCHED, 'samples/zrh/security.json', ['|Security|all||1|3|open']],
  ['edi-blip', 'EDI', FETCHED, 'samples/edi-blip/queue.excerpt.json', ['|Security|all|4|||unknown']],
  [
    'sea-cwt',
    'SEA',
    '2026-03-24T23:23:20Z',
    'samples/sea-portseattle/checkpoint1-2026-03-24.json',
    ['|1|all|3|||open'],
  ],
  ['jax-html', 'JAX', FETCHED, 'samples/jax-html/fragment.html', ['||standard||0|1|open']],
  [
    'panynj-graphql',
    'JFK',
    '2026-04-10T05:20:00Z',
    'samples-constructed/panynj-fixture/jfk-graphql.json',
    ['1|Main ChekPoint|standard|7|||open', '1|Main ChekPoint|precheck|2|||open'],
  ],
  [
    'panynj-rest',
    'LGA',
    '2026-04-10T19:55:00Z',
    'samples-constructed/documented-shapes/LGA.json.txt',
    ['B||standard|2|||open'],
  ],
  [
    'icn-keyless',
    'ICN',
    '2026-08-07T01:13:00Z',
    'samples-constructed/icn-keyless-shape/t1.json',
    ['T1|DG1_E|all|12|||open', 'T1|DG6_W|all||||closed'],
  ],
  [
    'zensors-bos',
    'BOS',
    FETCHED,
    'samples/zensors/BOS-2026-07-20.update.json',
    ['|Checkpoint 1: A Gates|precheck||||closed', '|Checkpoint 1: A Gates|standard||||closed'],
  ],
  ['mobi-mco', 'MCO', FETCHED, 'samples-constructed/documented-shapes/MCO.json.txt', ['|A|standard|4|||open']],
  ['mobi-clt', 'CLT', FETCHED, 'samples-constructed/documented-shapes/CLT.json.txt', ['|A1|standard|3|||open']],
  ['mobi-dfw', 'DFW', FETCHED, 'samples-constructed/documented-shapes/DFW.json.txt', ['|A12|standard||||closed']],
]

it.skipIf(sharedFile('live-sources.md') === null).each(PAYLOADS)(
  '%s at %s, fetched at %s, reads %s',
  (source, iata, fetched_at, path, rows) => {
    const body = (sharedFile(path) ?? '').replace('[ ... ]', '[]')
    const { readings, notices } = parseAs(source, body, iata, fetched_at)
    expect(notices).toEqual([])
    expect(readings.map((row) => readingLine(row).join('|'))).toEqual(rows)
  },
)
