import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { sourceFiles } from '../../source-files.ts'
import { readCases } from '../../values.ts'

/** The one module that answers questions of local time. */
const MODULE = join('config', 'time-zones')

const sources = sourceFiles().filter(({ path }) => !path.startsWith(MODULE))

/** The arguments of every call that a pattern finds the beginning of, up to its closing bracket. */
function argumentsOf(text: string, call: RegExp): string[] {
  return [...text.matchAll(call)].map((match) => {
    const start = match.index + match[0].length
    let depth = 1
    let end = start
    while (depth > 0 && end < text.length) {
      if (text[end] === '(') depth += 1
      if (text[end] === ')') depth -= 1
      end += 1
    }
    return text.slice(start, end - 1)
  })
}

const SOUND_ZONE = /\bzone: (zoneOf\(|'utc')/

/** What in a file would follow the time zone rules of Node.js, DuckDB or the machine instead of ours. */
function foreignRules(text: string): string[] {
  const found = [
    /\bIANAZone\b/g,
    /\bDateTime\.(local|now)\(/g,
    /\btimeZone: (?!'UTC')/g,
    /\.get(Hours|Minutes|Day|Date|Month|FullYear|TimezoneOffset)\(\)/g,
    /\.toLocale(Time|Date)String\((?![^)]*timeZone: 'UTC')/g,
    /Intl\.DateTimeFormat\((?![^)]*timeZone: 'UTC')/g,
    /\bAT TIME ZONE (\$\{|[a-z])/g,
    /\btimezone\((?!'UTC')[a-z$"]+[\w.]*,/g,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([match]) => match))
  const made = argumentsOf(text, /\bDateTime\.from\w+\(/g).filter((given) => !SOUND_ZONE.test(given))
  const moved = argumentsOf(text, /\.setZone\(/g).filter((given) => !/^(zoneOf\(|'utc')/.test(given))
  return found.concat(made, moved)
}

test('only the module of time zones knows rules: nothing else asks Node.js, DuckDB or the machine for a local time', () => {
  expect(sources.length).toBeGreaterThan(500)
  const wrong = sources.flatMap(({ path, text }) => foreignRules(text).map((found) => `${path}: ${found}`))
  // Where a map begins goes by the clock of the reader's machine.
  expect(wrong).toEqual([`${join('site', 'pages', 'browser', 'map.ts')}: .getTimezoneOffset()`])
})

const { found, sound } = readCases<Record<'found' | 'sound', string[]>>('config/time-zones/foreign-rules.json')

it.each(found)('the search finds %s', (text) => {
  expect(foreignRules(text)).not.toEqual([])
})

it.each(sound)('the search lets %s pass', (text) => {
  expect(foreignRules(text)).toEqual([])
})
