import { z } from 'zod'
import { airportDirectory } from '../../config/airports/directory.ts'
import { type ParameterFault, SettingsError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import { collectors } from './index.ts'

const NO_OPTIONS = z.strictObject({})

/** What is wrong with an entry of config/sources.json by its collector and the directory, by field. */
function faultsOf(source: Source): [field: string, message: string][] {
  const { byIata } = airportDirectory()
  const unknown = source.airports.filter((iata) => !byIata.has(iata))
  const airports = unknown.map((iata): [string, string] => ['airports', `the directory has no airport ${iata}`])
  if (source.collector === 'none')
    return source.active ? [...airports, ['active', 'must be false without a collector']] : airports
  const collector = collectors.find(({ id }) => id === source.collector)
  if (collector === undefined) return [...airports, ['collector', `there is no "${source.collector}"`]]
  const issues = (collector.options?.(source) ?? NO_OPTIONS).safeParse(source.options).error?.issues ?? []
  return [
    ...airports,
    ...issues.map(({ path, message }): [string, string] => [['options', ...path.map(String)].join(': '), message]),
  ]
}

/**
 * Refuses sources that could be valid and that nothing can collect, or whose rows nobody would see: an unknown collector, an option
 * that the collector does not know, an airport that the directory does not have.
 * @throws SettingsError with a line for each fault
 */
export function requireCollectable(sources: readonly Source[]): void {
  const faults = sources.flatMap((source) =>
    faultsOf(source).map(
      ([field, message]): ParameterFault => ({
        parameter: `config/sources.json: ${source.id}: ${field}`,
        message,
      }),
    ),
  )
  if (faults.length > 0) throw new SettingsError(faults)
}
