import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { collectors } from '../../../pipeline/collectors/index.ts'
import { repetitions } from '../../exhaustive.ts'
import { readCases } from '../../values.ts'
import { contextFor, FETCHED } from './context.ts'
import { contextAt } from './faa-and-weather.ts'
import { violatedInvariant } from './invariants.ts'
import { damagedTree } from './mutate-tree.ts'
import { ODD_TEXTS, type Random, randomFrom } from './odd-values.ts'
import { PAYLOAD_CASES } from './payload-cases.ts'

/** A damaged payload, and the kind of damage. */
interface Mutant {
  kind: string
  body: Uint8Array
}

type TextDamage = (text: string, random: Random) => string | Uint8Array

/** Answers in place of the payload: error pages, robot checks, empty answers of other feeds. */
const { answers: OTHER_ANSWERS } = readCases<{ answers: string[] }>('pipeline/collectors/values/other-answers.json')

function swapBytePairs(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, index) => bytes[index ^ 1] ?? 0)
}

/** Replaces one of the matches of `piece`. */
function replaceOne(text: string, piece: RegExp, random: Random, by: (found: string) => string): string {
  const found = [...text.matchAll(piece)]
  const chosen = random.pick(found)
  if (chosen === undefined) return text
  return text.slice(0, chosen.index) + by(chosen[0]) + text.slice(chosen.index + chosen[0].length)
}

function pieceOf(text: string, random: Random): [from: number, to: number] {
  const from = random.integerBelow(text.length + 1)
  return [from, Math.min(text.length, from + random.integerBelow(80))]
}

const NUMBER = /\d+(?:\.\d+)?/g

const TEXT_DAMAGES: Record<string, TextDamage> = {
  'cut off': (text, random) => Buffer.from(text).subarray(0, random.integerBelow(Buffer.byteLength(text))),
  'bytes flipped': (text, random) => {
    const bytes = Buffer.from(text)
    for (let left = 1 + random.integerBelow(3); left > 0; left--) {
      const position = random.integerBelow(bytes.length)
      bytes[position] = (bytes[position] ?? 0) ^ (1 << random.integerBelow(8))
    }
    return bytes
  },
  'a piece left out': (text, random) => {
    const [from, to] = pieceOf(text, random)
    return text.slice(0, from) + text.slice(to)
  },
  'a piece twice': (text, random) => {
    const [from, to] = pieceOf(text, random)
    return text.slice(0, to) + text.slice(from)
  },
  'a piece put in': (text, random) => {
    const position = random.integerBelow(text.length + 1)
    return text.slice(0, position) + random.pick(ODD_TEXTS) + text.slice(position)
  },
  'an element left out': (text, random) => replaceOne(text, /<(\w+)[^>]*>[^<]*<\/\1>/g, random, () => ''),
  'an element twice': (text, random) =>
    replaceOne(text, /<(\w+)[^>]*>[^<]*<\/\1>/g, random, (element) => element + element),
  'a name changed': (text, random) =>
    replaceOne(text, /(?<=[<"'. ])[a-z][\w-]+(?=["'= >])/gi, random, (name) => `${name}X`),
  'a text changed': (text, random) =>
    replaceOne(text, /(?<=>)[^<>]+(?=<)/g, random, () => random.pick(ODD_TEXTS) ?? ''),
  'a number changed': (text, random) => replaceOne(text, NUMBER, random, () => random.pick(ODD_TEXTS) ?? ''),
  'a number scaled': (text, random) =>
    replaceOne(text, NUMBER, random, (number) => String(Number(number) * (random.pick([60, 1 / 60, -1, 1_000]) ?? 1))),
  'digits changed': (text, random) =>
    Array.from({ length: 3 }).reduce<string>(
      (damaged) => replaceOne(damaged, /\d/g, random, () => String(random.integerBelow(10))),
      text,
    ),
  'no digits': (text) => text.replace(/\d/g, ''),
  'no digits in texts': (text) => text.replace(/(?<=>)[^<>]+(?=<)/g, (words) => words.replace(/\d/g, '')),
  'another year': (text, random) => text.replaceAll(/\b20\d\d\b/g, random.pick(['1970', '2027', '2099', '9999']) ?? ''),
  'another hour': (text, random) => text.replaceAll(/\d\d?(?=:\d\d)/g, String(random.integerBelow(26))),
  'another answer': (_, random) => random.pick(OTHER_ANSWERS) ?? '',
  'UTF-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16, small end first': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16, big end first': (text) => swapBytePairs(Buffer.from(`\uFEFF${text}`, 'utf16le')),
  'UTF-16 without a mark': (text) => Buffer.from(text, 'utf16le'),
  'Latin-1': (text, random) =>
    Buffer.from(
      replaceOne(text, /[a-z]/gi, random, () => 'é'),
      'latin1',
    ),
  'gzip that nobody undid': (text) => gzipSync(text),
}
const DAMAGES = Object.entries(TEXT_DAMAGES)

const isJson = (text: string) => /^\s*[[{]/.test(text)

/** Damages a payload by a seed, always in the same way for one seed. Two in three JSON payloads are damaged as a tree. */
function mutant(original: string, seed: number): Mutant {
  const random = randomFrom(seed)
  if (isJson(original) && random.integerBelow(3) > 0) {
    const { kind, tree } = damagedTree(JSON.parse(original), random)
    return { kind, body: Buffer.from(JSON.stringify(tree) ?? '') }
  }
  const [kind, damage] = random.pick(DAMAGES) ?? ['nothing', (text: string) => text]
  const body = damage(original, random)
  return { kind, body: typeof body === 'string' ? Buffer.from(body) : body }
}

/** Mutants per parser, divided among its payloads. */
const MUTANTS = repetitions(12, 400)

/** The fetch time of the FAA and weather payloads, which are of a later day. */
const FETCHED_LATER = '2027-01-07T23:50:00Z'

function contextOf(source: string, iata: string | null) {
  if (!/^(faa|awc)-/.test(source)) return contextFor(source, iata, FETCHED)
  return { ...contextFor(source, null, FETCHED_LATER), iataOf: contextAt(FETCHED_LATER).iataOf }
}

it('the payload cases cover every parser', () => {
  const covered = new Set(PAYLOAD_CASES.map(([source]) => sourceById(source).collector))
  expect(collectors.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([])
})

/** The number of payloads for the parser of this source. */
function payloadsOf(source: string): number {
  const { collector } = sourceById(source)
  return PAYLOAD_CASES.filter(([other]) => sourceById(other).collector === collector).length
}

describe.each(PAYLOAD_CASES)('%s with a damaged %s', (source, _name, iata, original) => {
  const context = contextOf(source, iata)
  const mutants = Math.ceil(MUTANTS / payloadsOf(source))

  it('keeps the invariants of its table', () => {
    expect(violatedInvariant(Buffer.from(original), context)).toBeNull()
    for (let seed = 0; seed < mutants; seed++) {
      const { kind, body } = mutant(original, seed)
      const violation = violatedInvariant(body, context)
      if (violation !== null) expect.fail(`seed ${seed} (${kind}): ${violation}\n${body}`)
    }
  })
})
