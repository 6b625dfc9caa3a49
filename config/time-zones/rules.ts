import { readFileSync } from 'node:fs'
import { projectFile } from '../paths.ts'
import { type PackedZone, type Transitions, unpackZone } from './transitions.ts'

/** The file that `npm run time-zones` writes. */
interface Rules {
  /** The release of the tz database, like 2026f. */
  version: string
  source: string
  zones: Record<string, PackedZone>
  /** Other names of the zones, like US/Pacific. */
  links: Record<string, string>
}

let cached: Rules | null = null

function rules(): Rules {
  cached ??= JSON.parse(readFileSync(projectFile('config', 'time-zones', 'rules.json'), 'utf8')) as Rules
  return cached
}

let names: Map<string, string> | null = null

/** The name of a zone as the tz database writes it, in whatever case it is given; null for an unknown zone. */
export function zoneName(text: string): string | null {
  const { zones, links } = rules()
  if (Object.hasOwn(zones, text) || Object.hasOwn(links, text)) return text
  names ??= new Map([...Object.keys(zones), ...Object.keys(links)].map((name) => [name.toLowerCase(), name]))
  return names.get(text.toLowerCase()) ?? null
}

/** All names of zones, other names included, in the order of the alphabet. */
export function zoneNames(): string[] {
  const { zones, links } = rules()
  return [...Object.keys(zones), ...Object.keys(links)].sort()
}

const unpacked = new Map<string, Transitions>()

/** The offsets of a zone at all times, read when it is first needed; null for an unknown zone. */
export function transitionsOf(text: string): Transitions | null {
  const known = unpacked.get(text)
  if (known !== undefined) return known
  const name = zoneName(text)
  if (name === null) return null
  const { zones, links } = rules()
  const original = links[name] ?? name
  const transitions = unpacked.get(original) ?? unpackZone(zones[original]!)
  for (const key of [text, original]) unpacked.set(key, transitions)
  return transitions
}

/** The versions of the rules: ours, that of Node.js, and whether Node.js has newer ones. */
export interface RulesVersions {
  /** The release of the tz database that all answers follow. */
  ours: string
  /** The release that this Node.js has; null if it has none. */
  runtime: string | null
  is_runtime_newer: boolean
}

/** Releases are a year and a letter, in the order of the alphabet; after z comes aa. */
function isNewer(release: string, than: string): boolean {
  const [year, than_year] = [release.slice(0, 4), than.slice(0, 4)]
  if (year !== than_year) return year > than_year
  return release.length === than.length ? release > than : release.length > than.length
}

/** The versions of the rules in use; `runtime` is that of Node.js unless it is given. */
export function rulesVersions(runtime: string | null = process.versions['tz'] ?? null): RulesVersions {
  const ours = rules().version
  return { ours, runtime, is_runtime_newer: runtime !== null && isNewer(runtime, ours) }
}

/** The versions in words: `time zone rules 2026f; Node's 2025c`. */
export function rulesText({ ours, runtime, is_runtime_newer }: RulesVersions): string {
  const theirs = runtime === null ? 'Node has none' : `Node's ${runtime}`
  return `time zone rules ${ours}; ${theirs}${is_runtime_newer ? ', which are newer and not used' : ''}`
}
