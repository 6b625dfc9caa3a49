import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { installedIn } from '../../airports/build/installed.ts'
import { projectFile } from '../../paths.ts'
import { type OffsetChange, type PackedZone, packZone } from '../transitions.ts'
import { splitYearly } from './yearly-changes.ts'

const Package = z.object({ version: z.string() })
const Packed = z.object({
  /** The release of the tz database, like 2026f. */
  version: z.string().regex(/^\d{4}[a-z]$/),
  zones: z.array(z.string()),
  links: z.array(z.string()),
})

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'

/** A number of minutes in base 60 with a fraction, as the package writes it, in milliseconds: `-8c.s` is −8:12:28. */
function unpackMinutes(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  let minutes = 0
  for (const digit of whole) minutes = minutes * 60 + DIGITS.indexOf(digit)
  if (fraction.length > 1) throw new Error(`${text} is no whole number of seconds`)
  const seconds = fraction === '' ? 0 : DIGITS.indexOf(fraction)
  return sign * (minutes * 60 + seconds) * 1_000
}

/** A zone of the package: name, names of its times, minutes west of UTC, which of them in turn, minutes between the changes. */
function readZone(text: string): { name: string; zone: PackedZone } {
  const [name = '', , offsets_text = '', order = '', changes_text = ''] = text.split('|')
  const offsets = offsets_text.split(' ').map((west) => -unpackMinutes(west) || 0)
  const offset_at = (index: number) => offsets[DIGITS.indexOf(order[index] ?? '0')] ?? 0
  const changes: OffsetChange[] = []
  let begins_ms = 0
  let before = offset_at(0)
  for (const [index, minutes] of (changes_text === '' ? [] : changes_text.split(' ')).entries()) {
    begins_ms += unpackMinutes(minutes)
    const offset_ms = offset_at(index + 1)
    // A change of the name alone, as in wartime, is none of the clock.
    if (offset_ms !== before) changes.push({ begins_ms, offset_ms })
    before = offset_ms
  }
  const { history, yearly } = splitYearly(offset_at(0), changes)
  return { name, zone: packZone(offset_at(0), history, yearly) }
}

const { read } = installedIn('time-zones')

/** Reads JSON of moment-timezone (MIT; the tz database itself is in the public domain). */
const readPackage = (...path: string[]): unknown => JSON.parse(read('moment-timezone', ...path).toString('utf8'))

const { version: package_version } = Package.parse(readPackage('package.json'))
const { version, zones, links } = Packed.parse(readPackage('data', 'packed', 'latest.json'))
const named = zones.map(readZone).sort((a, b) => (a.name < b.name ? -1 : 1))
const other_names = links.map((link) => link.split('|') as [string, string]).sort(([, a], [, b]) => (a < b ? -1 : 1))

const lines = (entries: [string, unknown][]) =>
  entries.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n')
const text = `{
"version": ${JSON.stringify(version)},
"source": "moment-timezone ${package_version} (MIT), made of the tz database of the IANA (public domain)",
"zones": {
${lines(named.map(({ name, zone }) => [name, zone]))}
},
"links": {
${lines(other_names.map(([name, other]) => [other, name]))}
}
}
`
writeFileSync(projectFile('config', 'time-zones', 'rules.json'), text)

const changing = named.filter(({ zone }) => zone.yearly !== undefined).map(({ name }) => name)
console.log(
  `config/time-zones/rules.json: rules ${version}, ${named.length} zones, ${other_names.length} other names, ${text.length} bytes; ${changing.length} zones change their clocks every year`,
)
