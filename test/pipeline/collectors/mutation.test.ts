import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { runChecks } from '../../../pipeline/checks/index.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { checkContext } from '../checks/context.ts'
import { contextFor, FETCHED, fixture, parseAs } from './context.ts'

/** A row as a parser returns it: the table's row without what `collect` stamps. */
const ParsedRow = readings.row.omit({
  source: true,
  fetched_at: true,
  available_at: true,
  flags: true,
  capture_id: true,
})

const CASES: [source: string, fixture: string, iata: string][] = [
  ['sea-cwt', 'sea.json', 'SEA'],
  ['panynj-graphql', 'panynj-ewr.json', 'EWR'],
  ['mobi-iah', 'mobi-iah.json', 'IAH'],
  ['cbp-awt', 'cbp.json', 'ATL'],
  ['cbp-awt', 'cbp.csv', 'HNL'],
  ['atl-html', 'atl.html', 'ATL'],
  ['sfo-html', 'sfo.html', 'SFO'],
  ['catsa-html', 'catsa-yyz.html', 'YYZ'],
  ['jax-html', 'jax.html', 'JAX'],
  ['msp-html', 'msp.html', 'MSP'],
  ['lax-html', 'lax.html', 'LAX'],
  ['delta-newshub', 'delta.html', 'ATL'],
  ['bna-html', 'bna.html', 'BNA'],
  ['oma-html', 'oma.html', 'OMA'],
  ['sat-html', 'sat.html', 'SAT'],
  ['chs-html', 'chs.html', 'CHS'],
  ['cmh-html', 'cmh.html', 'CMH'],
  ['stl-html', 'stl.html', 'STL'],
  ['myr-html', 'myr.html', 'MYR'],
  ['catsa-html-others', 'catsa-yyz.html', 'YOW'],
  ['yyz-pearson', 'yyz.json', 'YYZ'],
  ['yvr-catsa', 'yvr.json', 'YVR'],
  ['yyc-rms', 'yyc.json', 'YYC'],
  ['str-html', 'str.html', 'STR'],
  ['bru-html', 'bru.html', 'BRU'],
  ['fco-html', 'fco.html', 'FCO'],
  ['fromthetraytable', 'tray-table.json', 'DAL'],
  ['qsensor', 'qsensor.html', 'LAX'],
  ['waitport', 'waitport.json', 'CPH'],
  ['sita-mia', 'aci-mia.json', 'MIA'],
  ['aci-phx', 'aci-phx.json', 'PHX'],
  ['bwi-json', 'aci-bwi.json', 'BWI'],
  ['muc-passngr', 'aci-muc.json', 'MUC'],
  ['den-flyfruition', 'den.json', 'DEN'],
  ['zensors-las', 'zensors.json', 'LAS'],
  ['pit-azure', 'pit.json', 'PIT'],
  ['dtw-skyfii', 'dtw.json', 'DTW'],
  ['mwaa-dca', 'mwaa.json', 'DCA'],
  ['ord-flychicago', 'ord.json', 'ORD'],
  ['pdx-tsa', 'pdx.json', 'PDX'],
  ['slc-official', 'slc.json', 'SLC'],
  ['phl-livereach', 'phl.json', 'PHL'],
  ['cle-levels', 'cle.json', 'CLE'],
  ['panynj-rest', 'panynj-rest.json', 'LGA'],
  ['panynj-customs', 'panynj-customs.json', 'JFK'],
  ['locuslabs', 'locuslabs.json', 'DFW'],
  ['ams-schiphol', 'ams.json', 'AMS'],
  ['lhr-pihub', 'lhr-security.json', 'LHR'],
  ['lhr-immigration', 'lhr-immigration.json', 'LHR'],
  ['fra-waz', 'fra.json', 'FRA'],
  ['dus-sitecore', 'dus.json', 'DUS'],
  ['ham', 'ham.json', 'HAM'],
  ['ber-apls', 'ber.json', 'BER'],
  ['cph-azure', 'cph.json', 'CPH'],
  ['swedavia-keyless', 'swedavia.json', 'ARN'],
  ['swedavia-keyed', 'swedavia-keyed.json', 'ARN'],
  ['avinor-osl', 'osl.json', 'OSL'],
  ['hel-finavia', 'hel.json', 'HEL'],
  ['zrh-security', 'zrh-security.json', 'ZRH'],
  ['zrh-checkin', 'zrh-checkin.json', 'ZRH'],
  ['zrh-passport', 'zrh-passport.json', 'ZRH'],
  ['dub-dap', 'dub.json', 'DUB'],
  ['edi-blip', 'edi.json', 'EDI'],
  ['aena-indoor', 'aena.json', 'PMI'],
  ['ist', 'ist.json', 'IST'],
  ['doh-xovis', 'doh.json', 'DOH'],
  ['del-dial', 'del.json', 'DEL'],
  ['icn-keyless', 'icn.json', 'ICN'],
  ['icn-datagokr', 'icn-datagokr.json', 'ICN'],
  ['syd', 'syd.json', 'SYD'],
]

/** Whatever a payload says: every row is a row of the table, and what cannot be true is flagged. */
function holdsItsLaws(source: string, body: string, iata: string): void {
  let parsed: ReturnType<typeof parseAs>
  try {
    parsed = parseAs(source, body, iata)
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    return
  }
  const { flags } = runChecks(parsed.readings, checkContext(contextFor(source, iata).source, FETCHED))
  for (const [index, row] of parsed.readings.entries()) {
    const valid = ParsedRow.safeParse(row)
    expect(valid.error?.issues ?? [], JSON.stringify(row)).toEqual([])
    for (const wait of [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high])
      if (wait !== null) expect(wait >= 0 && wait <= 600).toBe(true)
    const ahead = Date.parse(row.observed_at) - Date.parse(FETCHED)
    if (ahead > 120_000) expect(flags.get(index)).toContain('observed_in_future')
  }
  const keys = parsed.readings.map((row) =>
    JSON.stringify(readings.key.map((name) => (row as Record<string, unknown>)[name])),
  )
  expect(new Set(keys).size).toBe(keys.length)
}

/** Values that sources were seen to put where a number or a word was, and worse. */
const odd = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'closed',
    'X',
    -5,
    0,
    424_242,
    1e308,
    '17',
    '5-10',
    true,
    [],
    {},
    '/Date(9e99)/',
    '11:59 PM',
    1_895_255_200,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Replaces or drops one value anywhere in a JSON document. */
function mutated(document: unknown, at: number, value: unknown, drop: boolean): unknown {
  let left = at
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return value
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(node).flatMap(([name, child]) =>
        drop && left === 0 && left-- === 0 ? [] : [[name, walk(child)]],
      ),
    )
  }
  return walk(document)
}

describe.each(CASES)('%s, whatever happens to %s', (source, name, iata) => {
  const original = fixture(name)

  it('holds its laws when text is cut, doubled or replaced', () => {
    const text = fc.oneof(
      odd.map((value) => JSON.stringify(value) ?? ''),
      fc.string(),
      fc.constantFrom('<', '"', '}', '\n', '</td>', '99999', '-1'),
    )
    fc.assert(
      fc.property(fc.nat(original.length), fc.nat(60), text, (from, length, insert) => {
        holdsItsLaws(source, original.slice(0, from) + insert + original.slice(from + length), iata)
      }),
      { numRuns: 150 },
    )
  })
})

describe.each(CASES.filter(([, name]) => name.endsWith('.json')))(
  '%s, whatever the values of %s',
  (source, name, iata) => {
    it('holds its laws when values are changed or missing', () => {
      const document = JSON.parse(fixture(name))
      fc.assert(
        fc.property(fc.nat(120), odd, fc.boolean(), (at, value, drop) => {
          holdsItsLaws(source, JSON.stringify(mutated(document, at, value, drop)), iata)
        }),
        { numRuns: 400 },
      )
    })
  },
)

describe('numbers and words in place', () => {
  it.each([
    ['sfo-html', 'sfo.html', '4 mins', 'SFO'],
    ['atl-html', 'atl.html', '<span>18</span>', 'ATL'],
    ['catsa-html', 'catsa-yyz.html', 'Less than 5 min', 'YYZ'],
    ['msp-html', 'msp.html', 'less than 5 minutes', 'MSP'],
    ['msp-html', 'msp.html', 'Updated Nov 21, 2026 3:58 AM', 'MSP'],
    ['delta-newshub', 'delta.html', '12 minutes', 'ATL'],
    ['bna-html', 'bna.html', '6 minutes', 'BNA'],
    ['oma-html', 'oma.html', '5-10', 'OMA'],
    ['sat-html', 'sat.html', "val('7')", 'SAT'],
    ['chs-html', 'chs.html', '12 min', 'CHS'],
    ['cmh-html', 'cmh.html', '7 minutes, 30 seconds', 'CMH'],
    ['stl-html', 'stl.html', 'aria-valuenow="9"', 'STL'],
    ['str-html', 'str.html', '8', 'STR'],
    ['bru-html', 'bru.html', '7 min.', 'BRU'],
    ['fco-html', 'fco.html', '4 min', 'FCO'],
  ])('%s survives any text in a cell', (source, name, cell, iata) => {
    const original = fixture(name)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map((n) => `${n} min`),
          fc.double().map(String),
        ),
        (text) => {
          holdsItsLaws(
            source,
            original.replace(cell, () => (cell.startsWith('<') ? `<span>${text}</span>` : text)),
            iata,
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})
