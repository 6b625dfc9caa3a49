import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { findAirports, meantAirport } from '../../../answers/search/find-airports.ts'
import { matchReason } from '../../../answers/search/match-reason.ts'
import { SimilarWords } from '../../../answers/search/typing-errors.ts'
import { airportDirectory, CityRow } from '../../../config/airports/directory.ts'
import { fold } from '../../../config/airports/search/fold.ts'
import {
  CountryNames,
  KnownAs,
  OtherNames,
  PlaceNames,
  RegionNames,
  SEARCH_NAMES,
  TrafficRank,
} from '../../../config/airports/search/search-names.ts'
import { projectFile } from '../../../config/paths.ts'
import { repetitions } from '../../exhaustive.ts'

const directory = airportDirectory()
const codesFor = (query: string) => findAirports(directory, query).map(({ airport }) => airport.iata)

interface Case {
  kind: string
  query: string
  codes: string[]
  reason: string
}

/** The list of queries; docs/decisions/answers.md says how it was used. */
function cases(): Case[] {
  const all: Case[] = []
  let kind = ''
  for (const line of readFileSync(projectFile('test', 'answers', 'search', 'named-airports.txt'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) kind = line.slice(3)
    if (line === '' || line.startsWith('#')) continue
    const [query = '', codes = '', reason = ''] = line.split(' | ')
    all.push({ kind, query, codes: codes.split(','), reason })
  }
  return all
}

/** The share of queries that have a right airport among the first `count`, in percent, and those that have not. */
function measure(all: readonly (Case & { found: string[] })[], count: number) {
  const missed = all.filter(({ found, codes }) => !found.slice(0, count).some((code) => codes.includes(code)))
  return { percent: (100 * (all.length - missed.length)) / all.length, missed: missed.map(({ query }) => query) }
}

describe('the list of names that travellers use', () => {
  const all = cases()

  it('has over 300 queries, each with a reason and codes of the directory, each once', () => {
    expect(all.length).toBeGreaterThan(300)
    expect(all.filter(({ reason, kind }) => reason === '' || kind === '')).toEqual([])
    expect(all.flatMap(({ codes }) => codes).filter((code) => !directory.byIata.has(code))).toEqual([])
    const queries = all.map(({ query }) => query)
    expect(queries.filter((query, index) => queries.indexOf(query) !== index)).toEqual([])
  })

  it('finds a right airport first in 97 % and among the first three in 99 %', () => {
    const searched = all.map((row) => Object.assign({ found: codesFor(row.query) }, row))
    const first = measure(searched, 1)
    const three = measure(searched, 3)
    expect(first.percent, first.missed.join('; ')).toBeGreaterThanOrEqual(97)
    expect(three.percent, three.missed.join('; ')).toBeGreaterThanOrEqual(99)
  })
})

test('the cities of the busiest airports are found with one letter too few, one doubled, two exchanged, or a wrong vowel', () => {
  const cities = SEARCH_NAMES.traffic()
    .toSorted(([, rank], [, other]) => other - rank)
    .slice(0, repetitions(100, 300))
    .flatMap(([iata]) => directory.byIata.get(iata)?.city ?? [])
    .filter((city) => /^[a-z]{6,}$/i.test(city))
  const mistyped = [...new Set(cities)].flatMap((city) => [
    [city, city.slice(0, 3) + city.slice(4)],
    [city, city.slice(0, 4) + city.slice(3)],
    [city, `${city.slice(0, 2)}${city[3]}${city[2]}${city.slice(4)}`],
    [city, city.replace(/(?<!^)[aeiou]/, (vowel) => (vowel === 'a' ? 'e' : 'a'))],
  ])
  const missed = mistyped.filter(([city, typed]) => codesFor(typed!)[0] !== codesFor(city!)[0])
  expect(missed.length / mistyped.length, missed.join('; ')).toBeLessThan(0.04)
})

test.each(
  readFileSync(projectFile('test', 'answers', 'search', 'first-airports.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)('%s', (line) => {
  const [query = '', first = '', meant = ''] = line.split(' | ')
  const codes = first === '' || first === 'nothing' ? [] : first.split(',')
  expect(codesFor(query).slice(0, first === 'nothing' ? 1 : codes.length)).toEqual(codes)
  if (meant !== '') expect(meantAirport(directory, query).airport?.iata ?? 'none').toBe(meant)
})

describe('what counts as a hit', () => {
  it.each(['BER', 'SAN', 'GOA', 'MUN', 'ANK'])('%s: the exact code is first and few others follow', (code) => {
    const hits = findAirports(directory, code)
    expect(hits[0]).toMatchObject({ airport: { iata: code }, matched_by: 'IATA code', exact: true })
    expect(hits.length).toBeLessThanOrEqual(16)
    expect(codesFor(` ${code.toLowerCase()} `)).toEqual(hits.map(({ airport }) => airport.iata))
  })

  it('every IATA code finds its airport first, in any case', () => {
    for (const [index, { iata }] of directory.all.entries())
      if (index % 60 === 0) expect(codesFor(index % 120 === 0 ? iata : iata.toLowerCase())[0]).toBe(iata)
  })

  it.each(['new', 'united states', 'saint', 'international airport', 'x y z'])('%s gives at most 50', (query) => {
    expect(codesFor(query).length).toBeLessThanOrEqual(50)
  })

  it.each(['zzzzqqqqxx', 'qzx', '!!!', '1.5', '-1', '10 %', '10001', 'airport', 'terminal 5', 'asdfgh', '', 'a', 'b'])(
    '%s is no name and finds nothing',
    (query) => {
      expect(codesFor(query)).toEqual([])
    },
  )

  it('finds the words of a name in any order, without accents and with a word begun', () => {
    expect(codesFor('kennedy john')).toContain('JFK')
    expect(codesFor('new york   kenn')[0]).toBe('JFK')
    expect(codesFor('sao paulo')).toEqual(codesFor('São Paulo'))
  })

  it('calls no place that an airport serves its own city, by whatever name', () => {
    const matchOf = (query: string, iata: string) =>
      findAirports(directory, query).find(({ airport }) => airport.iata === iata)?.matched_by
    expect(matchOf('東京', 'HND')).toBe('other city name')
    expect(matchOf('東京', 'NRT')).toBe('city')
    expect(matchOf('Springfield', 'JFK')).toBe('city')
  })

  it('says by what an airport was found', () => {
    const match = (query: string) => findAirports(directory, query)[0]
    expect(match('Rangoon')).toMatchObject({ matched_by: 'former name', matched: 'Rangoon' })
    expect(match('München')).toMatchObject({ matched_by: 'other city name' })
    expect(match('Tegel')).toMatchObject({ airport: { iata: 'BER' }, matched_by: 'closed airport' })
    expect(match('Frankfrut')).toMatchObject({ airport: { iata: 'FRA' }, corrected: true, exact: false })
  })
})

describe('the name that a hit was found by', () => {
  it.each([
    ['Londn', 'London'],
    ['Edinburg', 'Edinburgh'],
    ['Shipol', 'Amsterdam Airport Schiphol'],
    ['hetrow', 'London Heathrow Airport'],
  ])('%s is a guess at %s, also where a list of names has it', (query, meant) => {
    expect(findAirports(directory, query)[0]).toMatchObject({ matched: meant, corrected: true, exact: false })
  })

  it.each(['東京', '뉴욕', 'Лондон', 'القاهرة', 'กรุงเทพ', 'Αθήνα'])(
    '%s is told in the script of the query',
    (query) => {
      expect(findAirports(directory, query)[0]!.matched).toBe(query)
    },
  )
})

test('similar words are those of a plain comparison with every word', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(
      fc.uniqueArray(letters, { maxLength: 60 }),
      letters,
      fc.integer({ min: 1, max: 2 }),
      (list, word, max) => {
        const words = list.toSorted()
        const plain = words
          .map((other, index) => ({ index, errors: typingErrors(word, other) }))
          .filter(({ errors }) => errors <= max)
          .sort((a, b) => a.errors - b.errors || a.index - b.index)
        expect(new SimilarWords(words).find(word, max)).toEqual(plain)
      },
    ),
  )
})

/** The edits between two words, each place changed at most once: letters left out, added, replaced, or exchanged with the next. */
function typingErrors(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (__, column) => row + column),
  )
  for (let row = 1; row <= a.length; row += 1)
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isExchanged = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      table[row]![column] = Math.min(
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + (isSame ? 0 : 1),
        isExchanged ? table[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
  return table[a.length]![b.length]!
}

test('names are compared without accents, case, punctuation and ways to write a letter', () => {
  for (const [a, b] of [
    ['São Paulo', 'sao paulo'],
    ['L.A.', 'la'],
    ['O’Hare', "o'hare"],
    ['臺北', '台北'],
    ['紐約', '纽约'],
    ['Saint-Étienne', 'saint etienne'],
    ['İstanbul', 'istanbul'],
  ] as const)
    expect(fold(a)).toBe(fold(b))
})

test('the files of names have rows of their shapes, and known names have a source and codes of the directory', () => {
  for (const [row, rows] of [
    [PlaceNames, SEARCH_NAMES.places()],
    [OtherNames, SEARCH_NAMES.otherNames()],
    [CountryNames, SEARCH_NAMES.countries()],
    [RegionNames, SEARCH_NAMES.regions()],
    [KnownAs, SEARCH_NAMES.knownAs()],
    [TrafficRank, SEARCH_NAMES.traffic()],
  ] as const)
    for (const [index, candidate] of rows.entries()) if (index % 20 === 0) row.parse(candidate)
  const unknown = SEARCH_NAMES.knownAs().flatMap(({ airports }) =>
    airports.split(' ').filter((code) => !directory.byIata.has(code)),
  )
  expect(unknown).toEqual([])
})

test('each city that is filled in has its source, and the airport has no other', () => {
  const { rows } = JSON.parse(readFileSync(projectFile('config', 'airports', 'search', 'cities.json'), 'utf8')) as {
    rows: unknown[]
  }
  const cities = z.array(CityRow).parse(rows)
  expect(cities.length).toBeGreaterThan(2_500)
  for (const { iata, city } of cities.filter((_, index) => index % 50 === 0))
    expect(directory.byIata.get(iata)?.city).toBe(city)
})

test('the dearest queries take little time', () => {
  const dear = [
    'santa santo santos santas santi sante santu santr',
    'kalifornia kalifornja kalifornaia kalifornias kaliforniaz kalifornix',
    'san santa saint port new lake fort north',
    'sa',
  ]
  findAirports(directory, 'warm up the index')
  for (const query of dear) {
    const times = Array.from({ length: 4 }, () => {
      const start = process.cpuUsage()
      findAirports(directory, query)
      return process.cpuUsage(start).user / 1_000
    })
    // Far above the 20 ms of a quiet machine, far below what it was: 170 to 480 ms.
    expect(Math.min(...times), query).toBeLessThan(100)
  }
})

describe('classes of what travellers type', () => {
  it('beside an exact code stands only an airport whose own city or name begins so', () => {
    expect(codesFor('BER')).toEqual(['BER', 'BGO'])
    expect(findAirports(directory, 'GOA').map(({ matched }) => matched)).not.toContain('Liau-goan-chhi')
  })

  it('a text with marks is a name and no code', () => {
    expect(codesFor('Åbo')[0]).toBe('TKU')
    expect(codesFor('ABO')[0]).toBe('ABO')
    expect(codesFor('ＪＦＫ')[0]).toBe('JFK')
  })

  it.each([
    ['Munchen', 'München'],
    ['München', 'München'],
    ['Zurich', 'Zürich'],
    ['Malaga', 'Málaga'],
    ['Frankfurt', 'Frankfurt'],
  ])('%s is told as the airport writes it: %s', (query, written) => {
    expect(findAirports(directory, query)[0]!.matched).toContain(written)
  })
})

test('no airport is guessed beside one whose flights ended, and none by a word that says half of a name', () => {
  expect(findAirports(directory, 'Kiev').filter(({ corrected }) => corrected)).toEqual([])
  expect(findAirports(directory, 'Isle of Xyzq')).toEqual([])
  for (const query of ['Red Wing', 'who are you', 'help me please', 'what is the wait', 'longest line in the US'])
    expect(findAirports(directory, query), query).toEqual([])
  for (const query of [
    'Can I fly',
    'best day to fly',
    'my flight',
    'what time',
    'I am late',
    'is it busy at the airport',
  ])
    expect(findAirports(directory, query), query).toEqual([])
  expect(['Can', 'Can Tho', 'My Tho'].map((query) => codesFor(query)[0])).toEqual(['CAN', 'VCA', 'SGN'])
})

test.each([
  ['Dublin, OH', ['CMH', 'CLE', 'DAY', 'DUB']],
  ['Manchester, CT', ['BDL', 'HVN']],
  ['Chicago Nevada', ['LAS', 'RNO']],
  ['Seattle Florida', ['MIA', 'MCO', 'FLL', 'SEA']],
])('of a place that is not known in its state the airports of the state come first: %s', (query, first) => {
  const hits = findAirports(directory, query)
  expect(hits.slice(0, first.length).map(({ airport }) => airport.iata)).toEqual(first)
  expect(hits[0]).toMatchObject({ matched_by: 'region', corrected: false, exact: false })
  expect(hits[0]!.missing).toBe(query.replace(/,? \w+$/, ''))
  expect(matchReason(hits[0]!)).toContain(`, where no airport of "${hits[0]!.missing}" is known`)
  expect(meantAirport(directory, query).airport).toBeNull()
})

test('of a place and a state that is also a city the place comes first', () => {
  expect(codesFor('Geneva New York').slice(0, 2)).toEqual(['GVA', 'JFK'])
  expect(codesFor('Toronto New York')[0]).toBe('YYZ')
})

test('a misspelt place of a state keeps its own airport first', () => {
  expect(findAirports(directory, 'Colombus, OH')[0]).toMatchObject({ airport: { iata: 'CMH' }, matched_by: 'city' })
})

test('a name that the text is leaves out names that have its words only apart, and those of other places go last', () => {
  expect(codesFor('Ho Chi Minh')).toEqual(['SGN'])
  expect(codesFor('Da Nang')).toEqual(['DAD'])
  expect(codesFor('Köln')).toEqual(['CGN'])
  expect(codesFor('Wien')).not.toContain('VTE')
  expect(codesFor('San Jose').slice(0, 4)).toEqual(['SJC', 'SJO', 'SYQ', 'SJI'])
  expect(codesFor('Springfield').slice(0, 4)).not.toContain('JFK')
  expect(codesFor('Manchester').slice(0, 2)).toEqual(['MAN', 'MHT'])
})

test('an airport near a place is called one with flights only if it has some', () => {
  const hits = findAirports(directory, 'Shakhty')
  expect(hits[0]).toMatchObject({ airport: { iata: 'ROV', scheduled_service: false }, matched_by: 'nearby city' })
  expect(matchReason(hits[0]!)).toBe('near Shakhty')
})

test('a country beside a code or a place in a text is not what is meant', () => {
  expect(codesFor('YVR USA')).toEqual(['YVR'])
  const ofRoute = codesFor('flights to Rome Italy tomorrow from London')
  expect(ofRoute.slice(0, 2)).toEqual(['FCO', 'LHR'])
  expect(ofRoute).not.toContain('MXP')
})
