import type { Command } from 'commander'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { allSources, Source } from '../../config/sources.ts'
import { isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import { JsonListOptions, jsonList } from '../../pipeline/collectors/json-list.ts'
import { parseBody, parseContext } from '../../pipeline/parsing/parse-body.ts'
import { airportFlag } from '../runtime/flags.ts'
import { addCommand } from '../runtime/help.ts'
import { printError, printJson } from '../runtime/output.ts'

type Flags = Record<
  'airport' | 'url' | 'payload' | 'rows' | 'name' | 'terminal' | 'minutes' | 'seconds' | 'updated',
  string | undefined
>

const MAX_PAYLOAD_BYTES = 5 * 1_048_576
const PATHS = ['rows', 'name', 'terminal', 'minutes', 'seconds', 'updated'] as const

/** The entry of a new source; it is off until somebody has read its terms. @throws UsageError */
function entryOf(id: string, flags: Flags): Source {
  if (allSources().some((source) => source.id === id)) throw new UsageError(`id: there is a source ${id} already`)
  const options = Object.fromEntries(PATHS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])))
  const checked = JsonListOptions.safeParse(options)
  if (!checked.success)
    throw new UsageError(
      checked.error.issues
        .map(({ path, message }) => [`--${String(path[0] ?? 'name')}`, message].join(': '))
        .join('; '),
    )
  const airport = airportFlag('--airport', flags.airport ?? '')
  const entry = Source.safeParse({
    id,
    collector: jsonList.id,
    name: `${airport} checkpoint waits`,
    kind: 'security',
    airports: [airport],
    url: flags.url ?? '',
    page_url: null,
    cadence_seconds: 300,
    pace_seconds: 5,
    publisher: 'airport',
    timeliness: 'live',
    active: false,
    why_off: 'New: read its terms and robots.txt first.',
    terms: 'Not read yet.',
    attribution: 'The airport.',
    last_verified: utcDayOf(Date.now()),
    confidence: 'low',
    options,
  })
  if (entry.success) return entry.data
  throw new UsageError(entry.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

/** `holdshort sources new`: prints the entry of a JSON feed for config/sources.json, and what it reads in a saved payload. */
export function addScaffold(sources: Command): void {
  addCommand(sources, 'sources new')
    .argument('<id>', 'id of the source, e.g. ind-json')
    .requiredOption('--airport <code>', 'IATA code of its airport')
    .requiredOption('--url <address>', 'address of the feed')
    .option('--rows <path>', 'the list, e.g. data.items; absent where the payload is the list')
    .option('--name <path>', 'name of the checkpoint')
    .option('--terminal <path>', 'name of the terminal')
    .option('--minutes <path>', 'the wait in minutes')
    .option('--seconds <path>', 'the wait in seconds')
    .option('--updated <path>', 'when it was measured')
    .option('--payload <file>', 'a saved answer of the feed, to try the paths on')
    .action((id: string, flags: Flags) => {
      const source = entryOf(id, flags)
      if (flags.payload !== undefined) tryOut(source, flags.payload)
      printJson(source)
    })
}

/** Prints what a source reads in a saved payload. @throws UsageError where nothing can be read */
function tryOut(source: Source, file: string): void {
  const capture = { iata: source.airports[0]!, url: source.url, content_type: null, fetched_at: isoUtc(Date.now()) }
  try {
    const body = readNamedFile(file, MAX_PAYLOAD_BYTES)
    const { readings, notices } = parseBody(jsonList, body, parseContext(source, capture)) as ReturnType<
      typeof jsonList.parse
    >
    if (readings.length === 0) throw new UsageError(`--payload: no reading was found in ${file}; correct the paths`)
    for (const { terminal, checkpoint, wait_minutes, observed_at } of readings)
      printError(`${[terminal, checkpoint].filter(Boolean).join(', ')}: ${wait_minutes ?? 'no'} min at ${observed_at}`)
    for (const { code, path } of notices) printError(`${code} at ${path}`)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`--payload: ${cause instanceof HoldshortError ? cause.message : `${file} cannot be read`}`)
  }
}
