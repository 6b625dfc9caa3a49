import { addresses } from '../../config/addresses.ts'
import { countText } from '../../config/count-text.ts'
import { LICENCES } from '../../config/licences.ts'
import { duckdbLines } from '../../warehouse/export/duckdb-lines.ts'
import { EXPORTABLE, WITHHELD_TABLES } from '../../warehouse/export/exported-tables.ts'
import { addressOf, type Manifest } from '../../warehouse/export/manifest.ts'
import { dayText, grouped, LinkButton, Listing, Moment, noted, number, Table } from '../pages/elements.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import type { Page } from '../pages/shell.tsx'
import { ALL_WAITS } from './all-waits.ts'
import { openOpenData, type PublishedExport } from './published-export.ts'

const TITLE = 'Open data'
const ABOUT =
  'Hourly airport waits with their sources, delays, weather, and every forecast that was issued, to take away.'

/** Adds `/data`: the page of the open data. Its files lie below it (see `routes.ts`). */
export const addDataPage: AddPages = (pages, { settings, fetchExport }) => {
  const openData = openOpenData(settings, fetchExport)
  const { site_url } = addresses(settings)
  pages.get('/data', OPEN_ROUTE, async (request, reply) => {
    const published = await openData.current()
    return sendOpenPage(request, reply, `/data ${published?.version ?? ''}`, () =>
      published ? dataPage(published, site_url, settings.open_data_per_minute) : emptyPage(openData.isOn),
    )
  })
}

function emptyPage(isOn: boolean): Page {
  const body = (
    <>
      {isOn ? (
        <p>The first export is being made. Come back in a few minutes. These tables will be in it:</p>
      ) : (
        <>
          <p>This installation publishes no open data.</p>
          <p>
            Its operator can publish it (<code>HOLDSHORT_OPEN_DATA=all</code>), or hand it on as a folder:{' '}
            <code>npx holdshort export my-folder</code>. These tables would be in it:
          </p>
        </>
      )}
      <Dictionary
        tables={EXPORTABLE.map(({ table }) => ({
          name: table.name,
          about: table.about,
          columns: columnsOf(table.columns),
        }))}
      />
    </>
  )
  return { title: TITLE, description: ABOUT, body }
}

const columnsOf = (columns: Record<string, { type: string; meaning: string }>) =>
  Object.entries(columns).map(([name, { type, meaning }]) => ({ name, type, meaning }))

/** 12,345 bytes as 12 kB. */
function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

const DESCRIPTIONS: [path: string, text: string][] = [
  ['/data/manifest.json', 'manifest: every file with rows, length, SHA-256 and time span'],
  ['/data/datapackage.json', 'Frictionless Data Package'],
  ['/data/README.md', 'README, as dataset hubs take it'],
]

/** How many of the newest files of the rollups the lines for DuckDB name. */
const NAMED_FILES = 3

function dataPage({ manifest, exported_ms }: PublishedExport, site_url: string, per_minute: number): Page {
  const { tables, files, rows, bytes, from, to, simulated, licence, credit } = manifest
  const exported = tables.filter((table) => table.files > 0)
  const parquet = files.filter(({ airport }) => airport === undefined)
  const rollups = parquet.filter(({ table }) => table === 'rollups')
  const named = (rollups.length > 0 ? rollups : parquet).slice(-NAMED_FILES)
  const csvs = files.filter(({ airport }) => airport !== undefined)
  const body = (
    <>
      <p class="lead">
        {simulated && <strong>SIMULATED: every row was made by a simulator. </strong>}
        {grouped(rows)} rows from {from === null ? 'an unknown day' : dayText(from)} to{' '}
        {to === null ? 'now' : dayText(to)}, exported <Moment instant={new Date(exported_ms).toISOString()} />. No key
        needed.
      </p>
      {csvs.length > 0 && (
        <p>
          <LinkButton href={`/data/${ALL_WAITS}`} text="Hourly waits, all airports, CSV" />{' '}
          {size(csvs.reduce((sum, csv) => sum + csv.bytes, 0))}
        </p>
      )}
      <h2 id="tables">Tables</h2>
      <p>
        All {grouped(files.length)} files, {size(bytes)}: open a table for its columns and its files. Instants are UTC.
      </p>
      <Dictionary
        tables={exported.map((table) => ({
          name: table.name,
          about: table.about,
          amount: `${grouped(table.rows)} rows, ${size(table.bytes)}`,
          columns: table.columns,
          preview: table.preview,
          files: parquet.filter((file) => file.table === table.name),
        }))}
      />
      <h2 id="read">Read it</h2>
      <p>
        Files of a month lie at <code>/data/v1/&lt;table&gt;/year=…/month=…/</code>, sorted by place, kind of queue and
        time, so that a reader of one airport fetches little.
      </p>
      <Listing
        label="Lines for DuckDB"
        text={duckdbLines(
          manifest,
          named.map((file) => `${site_url}${addressOf(file)}`),
        )}
      />
      {csvs.length > 0 && (
        <details>
          <summary>Hourly waits of each airport as CSV</summary>
          <ul class="tally">
            {csvs.map(({ airport, path, bytes }) => (
              <li>
                <a href={addressOf({ path })}>{airport}</a> {size(bytes)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <h2 id="terms">Terms and credit</h2>
      <p>
        What this installation computed itself: <a href={LICENCES[licence].url}>{LICENCES[licence].title}</a>, credit:{' '}
        {credit}. Rows of a source have its terms:
      </p>
      <Terms manifest={manifest} />
      <h2 id="machines">For machines</h2>
      <ul>
        {DESCRIPTIONS.map(([href, text]) => (
          <li>
            <a href={href}>{href}</a>: {text}
          </li>
        ))}
      </ul>
      <p>
        Files may be read from any origin, whole or in parts
        {per_minute > 0 && `, up to ${grouped(per_minute)} requests a minute from one network`}.
      </p>
    </>
  )
  return { title: TITLE, description: ABOUT, body }
}

function Terms({ manifest: { sources, left_out, tables } }: { manifest: Manifest }) {
  const isShown = new Set(tables.map(({ name }) => name))
  const left = left_out.filter(({ table }) => isShown.has(table))
  return (
    <>
      <details>
        <summary>{countText(sources.length, 'source')} with credit, licence and terms</summary>
        <Table
          label="Sources"
          columns={['Source', 'Credit', 'Licence', 'Terms']}
          rows={sources.map(({ id, credit, licence, terms, page }) => [
            page === null ? id : <a href={page}>{id}</a>,
            credit,
            licence === null ? 'unknown' : <a href={LICENCES[licence].url}>{licence}</a>,
            terms,
          ])}
        />
      </details>
      {left.length > 0 && (
        <details>
          <summary>Left out, because nobody may pass it on, or nobody knows whether one may</summary>
          <Table
            label="Left out"
            columns={['Table', 'Source', number('Rows'), 'Why']}
            rows={left.map(({ table, source, rows, reason }) => [table, source ?? '–', grouped(rows), reason])}
          />
        </details>
      )}
      <p>
        Never exported: {WITHHELD_TABLES.map(({ name, reason }) => `${name} (${reason.replace(/\.$/, '')})`).join('; ')}
        .
      </p>
    </>
  )
}

interface DescribedTable {
  name: string
  about: string
  /** How much of it there is. */
  amount?: string
  columns: readonly { name: string; type: string; meaning: string }[]
  preview?: Manifest['tables'][number]['preview']
  files?: Manifest['files']
}

function Dictionary({ tables }: { tables: readonly DescribedTable[] }) {
  return (
    <>
      {tables.map(({ name, about, amount, columns, preview = [], files = [] }) => (
        <details id={name}>
          <summary>
            <strong>{name}</strong>{' '}
            <span class="about">
              {withCode(about)}
              {amount !== undefined && <small> {amount}</small>}
            </span>
          </summary>
          <Table
            label={`Columns of ${name}`}
            columns={['Column', 'Meaning']}
            rows={columns.map(({ name, type, meaning }) => [noted(<code>{name}</code>, type), withCode(meaning)])}
          />
          {preview.length > 0 && (
            <Table
              label={`First rows of ${name}`}
              narrow="scroll-rows"
              namesRows={false}
              columns={columns.map((column) => column.name)}
              rows={preview.map((row) => columns.map((column) => shown(row[column.name])))}
            />
          )}
          {files.length > 0 && (
            <ul>
              {files.map(({ path, rows, bytes }) => (
                <li>
                  <a href={addressOf({ path })}>{path.split('/').at(-1)}</a>: {grouped(rows)} rows, {size(bytes)}
                </li>
              ))}
            </ul>
          )}
        </details>
      ))}
    </>
  )
}

/** A text of the dictionary, in which names of columns and tables stand between backticks. */
const withCode = (text: string) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

const MAX_SHOWN = 60

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
