import { SOURCE_KINDS } from '../../answers/statements/words.ts'
import { problemExample } from '../../api/rest/openapi-examples.ts'
import { WIRE_CODES } from '../../api/rest/problem.ts'
import type { Addresses } from '../../config/addresses.ts'
import { ERROR_CODES, type ErrorCode } from '../../config/errors.ts'
import { LICENCES } from '../../config/licences.ts'
import { projectTable, projectText } from '../../config/project-text.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { TIERS, tierTable } from '../../config/tiers.ts'
import { type Column, grouped, Listing, type Row, Table } from '../pages/elements.tsx'
import { type DocPage, found, section } from './doc-page.ts'
import { InlineMarkdown, renderMarkdown } from './markdown.tsx'

/** Quick starts for each language and client. */
export function startPage(addresses: Addresses): DocPage {
  const { sections, body } = renderMarkdown(quickStarts(addresses), (href) => href)
  return {
    path: '/docs/start',
    title: 'Quick starts',
    description: 'Begin with curl, TypeScript, Python, R, Claude, ChatGPT, Cursor, VS Code or Home Assistant.',
    group: 'Begin',
    sections,
    body,
  }
}

/** The Markdown of the quick starts, with the addresses of an installation. Those that a machine can run are run by a test. */
export const quickStarts = (addresses: Addresses): string =>
  projectText('site/docs/quick-starts.md', {
    ...addresses,
    requests_per_minute: String(TIERS.free.requests_per_minute),
    calls_per_month: grouped(TIERS.free.calls_per_month),
  })

/** Advice for a client after an error. */
const CLIENT_ADVICE = projectTable<string>('site/docs/client-advice.json')

/** Cause and remedy by code: the table of docs/operate/errors.md. The other codes are answers to a client. */
const ERROR_MANUAL: ReadonlyMap<string, { happened: string; todo: string }> = new Map(
  [...projectText('docs/operate/errors.md').matchAll(/^\| `([A-Z_]+)` \| (.+) \| (.+) \|$/gm)].map(
    ([, code = '', happened = '', todo = '']) => [code, { happened, todo }],
  ),
)

const ERROR_COLUMNS: Column[] = ['Code', 'Status', 'What it means', 'What to do']

/** Every error code with its status, its meaning and what to do. */
export function errorsPage(site_url: string): DocPage {
  const clients = new Set<string>([...WIRE_CODES, 'LIVE_UNAVAILABLE', 'CONFLICT'])
  const codes = Object.entries(ERROR_CODES) as [ErrorCode, { status: number; title: string }][]
  const rows = codes.map(([code, { status, title }]) => {
    const { happened = '', todo = '' } = ERROR_MANUAL.get(code) ?? {}
    return { code, status, title, isForClients: clients.has(code), happened, todo: CLIENT_ADVICE[code] ?? todo }
  })
  const table = (label: string, isForClients: boolean) => (
    <Table
      label={label}
      narrow="stack"
      columns={isForClients ? ERROR_COLUMNS : ERROR_COLUMNS.filter((column) => column !== 'Status')}
      rows={rows
        .filter((row) => row.isForClients === isForClients)
        .map(({ code, status, title, happened, todo }) => ({
          attributes: { id: code },
          cells: [
            <a href={`#${code}`}>
              <code>{code}</code>
            </a>,
            ...(isForClients ? [status] : []),
            <>
              {title}.
              {!isForClients && happened !== '' && (
                <span>
                  <InlineMarkdown text={happened} />
                </span>
              )}
            </>,
            <InlineMarkdown text={todo} />,
          ],
        }))}
    />
  )
  return {
    path: '/docs/errors',
    title: 'Errors',
    description:
      'Every error code of the REST API, the MCP server and the service, with its status, its meaning and what to do.',
    group: 'Reference',
    sections: [
      section('form', 'The form of an error', 'problem+json RFC 9457 request_id scope'),
      section('clients', 'Codes that clients see'),
      section('operators', 'Codes that operators see'),
      ...rows.map(({ code, title, happened, todo }) => found(code, code, `${title} ${happened} ${todo}`)),
    ],
    body: (
      <>
        <h2 id="form">The form of an error</h2>
        <p>
          Every error of the REST API is a problem (RFC 9457, <code>application/problem+json</code>) with a stable{' '}
          <code>code</code>. <code>detail</code> is for people and may change. A failed tool of the MCP server answers
          with <code>isError</code>; its text begins with the code, and <code>_meta</code> has the whole problem. Where
          the server refuses for a while (429, 503), the body is a JSON-RPC error with the same words, and{' '}
          <code>data</code> is the problem.
        </p>
        <Listing label="A problem" text={JSON.stringify(problemExample('PREMIUM_REQUIRED', site_url), null, 2)} />
        <h2 id="clients">Codes that clients see</h2>
        {table('Codes that clients see', true)}
        <h2 id="operators">Codes that operators see</h2>
        <p>
          In the log, in tables and on the command line; more in <a href="/docs/operate/trouble">trouble at 3 a.m.</a>.
        </p>
        {table('Codes that operators see', false)}
      </>
    ),
  }
}

const TIER_COLUMNS: Column[] = ['Of each tier', ...Object.values(TIERS).map(({ name }) => name)]

/** The price and scope of each tier. */
export function tiersPage(): DocPage {
  const rows = tierTable()
  return {
    path: '/docs/tiers',
    title: 'Tiers',
    description: 'What Free, Pro and Enterprise cost, how many calls they include, and what they see.',
    group: 'Reference',
    sections: [
      section('compare', 'Side by side', rows.map(({ label, paths }) => [label, ...paths].join(' ')).join(' ')),
      section('counting', 'What counts', 'billing overage 304 429 month minute'),
    ],
    body: (
      <>
        <h2 id="compare">Side by side</h2>
        <Table
          label="Tiers side by side"
          columns={TIER_COLUMNS}
          rows={rows.map(({ label, cells }) => [label, ...Object.values(cells)])}
        />
        <p>
          Every key, free or paid: the directory, delays, when to leave (with the forecast of the next 24 hours),
          coverage, the record of forecasts, and the free tools. <a href="/plans">Choose a plan</a>.
        </p>
        <h2 id="counting">What counts</h2>
        <p>
          Every answered call counts against the minute, except 429. Only successful answers with a body count against
          the month (UTC): not 304, HEAD, errors or the account endpoints, and of the MCP server only tools that
          succeed.
        </p>
      </>
    ),
  }
}

const SOURCE_COLUMNS: Column[] = ['Source', 'Airports', 'Credit', 'Terms', 'Licence']

/** Every source of the catalogue with its terms and its credit. */
export function sourcesPage(): DocPage {
  const sources = allSources()
  const kinds = (Object.keys(SOURCE_KINDS) as Source['kind'][]).filter((kind) =>
    sources.some((source) => source.kind === kind),
  )
  return {
    path: '/docs/sources',
    title: 'Sources, terms and credit',
    description: `The ${sources.length} sources of the catalogue: what each publishes, the terms it is read under, its licence, and the credit it is shown with.`,
    group: 'Understand',
    sections: [
      ...kinds.map((kind) => section(kind, SOURCE_KINDS[kind])),
      ...sources.map(({ id, name, airports, attribution }) =>
        found(`source-${id}`, name, `${id} ${airports.join(' ')} ${attribution}`),
      ),
    ],
    body: (
      <>
        <p>
          Each figure names its source by its id. Whether a source answers now is on the{' '}
          <a href="/status">status page</a>; airports, places, holidays and bags have their credits under{' '}
          <a href="/docs/readme#licence-and-credits">licence and credits</a>. A source whose terms forbid machines is
          off. Where no licence is stated, the figures are shown with their credit and are no part of the{' '}
          <a href="/data">open data</a>.
        </p>
        {kinds.map((kind) => (
          <>
            <h2 id={kind}>{SOURCE_KINDS[kind]}</h2>
            <SourceTable kind={kind} sources={sources.filter((source) => source.kind === kind)} />
          </>
        ))}
      </>
    ),
  }
}

/** More sources than this are folded, so that the page stays short; a link to one of them opens the fold. */
const MAX_SHOWN = 4

function SourceTable({ kind, sources }: { kind: Source['kind']; sources: readonly Source[] }) {
  return (
    <details class="sources" open={sources.length <= MAX_SHOWN}>
      <summary>{sources.length === 1 ? '1 source' : `${sources.length} sources`}</summary>
      <Table label={SOURCE_KINDS[kind]} columns={SOURCE_COLUMNS} rows={sources.map(sourceRow)} />
    </details>
  )
}

const MAX_CODES = 12

const sourceRow = ({ id, name, airports, page_url, attribution, terms, licence, active, why_off }: Source): Row => ({
  attributes: { id: `source-${id}` },
  cells: [
    <>
      {page_url === null ? name : <a href={page_url}>{name}</a>}
      <span>
        <code>{id}</code>
        {!active && ', off'}
      </span>
    </>,
    <>
      {airports.length === 0 ? 'all that it covers' : airports.slice(0, MAX_CODES).join(' ')}
      {airports.length > MAX_CODES && ` and ${airports.length - MAX_CODES} more`}
    </>,
    attribution,
    <>
      <InlineMarkdown text={terms} />
      {why_off !== null && <span>Off: {why_off}</span>}
    </>,
    licence === undefined ? 'None stated' : <a href={LICENCES[licence].url}>{LICENCES[licence].title}</a>,
  ],
})
