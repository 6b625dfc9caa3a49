import type { AriaRole, ComponentChild, ComponentChildren, VNode } from 'preact'
import { oldFiguresText } from '../../answers/statements/text.ts'
import { STALE_AFTER_MS } from '../../api/status/overall.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { countryName } from '../../config/reference/countries.ts'

/** A number with thousands separators: 12,345. */
export const grouped = (number: number) => number.toLocaleString('en')

/** `21 Nov 2026`, of an instant (ISO 8601, UTC). */
export const dayText = (instant: string) =>
  new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** An instant (ISO 8601, UTC) as people read it; the attribute keeps the exact value. */
export const Moment = ({ instant }: { instant: string }) => (
  <time datetime={instant}>{`${dayText(instant)}, ${instant.slice(11, 16)} UTC`}</time>
)

/** The address of the page of an airport. */
export const airportAddress = (iata: string) => `/airports/${iata}`

/** The code of an airport as the location sign of a taxiway: yellow on black. */
export const Sign = ({ code }: { code: string }) => <b class="sign">{code}</b>

/** City and country, without a city that is not known. */
export const placeText = ({ city, country }: Pick<Airport, 'city' | 'country'>) =>
  [city, countryName(country)].filter(Boolean).join(', ')

interface AirportLinkProps {
  airport: Pick<Airport, 'iata' | 'name'>
  /** Below the name. */
  about: ComponentChildren
  /** Shown at the end of the line. */
  children?: ComponentChildren
}

/** A line of a list that leads to the page of an airport. */
export const AirportLink = ({ airport: { iata, name }, about, children }: AirportLinkProps) => (
  <a href={airportAddress(iata)}>
    <Sign code={iata} />
    <span>
      <bdi>{name.split('/').flatMap((part, index) => (index === 0 ? part : ['/', <wbr />, part]))}</bdi>
      {about}
    </span>
    {children}
  </a>
)

interface SectionProps {
  id: string
  title: ComponentChildren
  children: ComponentChildren
}

/** A section under a heading of its own. */
export const Section = ({ id, title, children }: SectionProps) => (
  <section id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
)

interface NoticeProps {
  kind?: 'notice' | 'warning'
  children: ComponentChildren
}

/** A current state, which is read out too. */
export const Notice = ({ kind = 'notice', children }: NoticeProps) => (
  <p class={kind} role="status">
    {children}
  </p>
)

/** A note about old figures of a page; nothing if they are current. */
export const OldFigures = ({ age_ms }: { age_ms: number }) =>
  age_ms >= STALE_AFTER_MS && <Notice kind="warning">{oldFiguresText(age_ms / 1_000)}</Notice>

const RANGES = /(\d+–\d+ min)/

/** A text in which no range (`9–20 min`) breaks at the end of a line. */
export const unbroken = (text: string) =>
  text.split(RANGES).map((part) => (RANGES.test(part) ? <span class="unbroken">{part}</span> : part))

/** A listing that scrolls on its own and can be scrolled by keyboard. On pages of the documentation a script adds a button that copies it. */
export const Listing = ({ text, label, wraps = false }: { text: string; label: string; wraps?: boolean }) => (
  <pre class={wraps ? 'wrapped' : undefined} role="group" tabindex={0} aria-label={label}>
    <code>{text}</code>
  </pre>
)

/** A link that looks like a button. */
export const LinkButton = ({ href, text, isSecond = false }: { href: string; text: string; isSecond?: boolean }) => (
  <a class={isSecond ? 'button second' : 'button'} href={href}>
    {text}
  </a>
)

/** The formats in which every picture can be had at its address. */
export const FORMATS = ['svg', 'csv', 'json'] as const

interface FilesProps {
  /** The address of the picture without its ending. */
  address: string
  /** With its question mark; empty if the picture has no parameters. */
  query?: string | undefined
  /** The subject of the files, for people who hear the links. */
  name?: string
  formats?: readonly string[] | undefined
}

/** Links to the files of a picture. */
export const Files = ({ address, query = '', name = 'This picture', formats = FORMATS }: FilesProps) => (
  <span class="files">
    {formats.map((format) => (
      <>
        <a href={`${address}.${format}${query}`} aria-label={`${name} as ${format.toUpperCase()}`}>
          {format.toUpperCase()}
        </a>{' '}
      </>
    ))}
  </span>
)

/** The heading of a column; a column of numbers is aligned to the right. */
export type Column = string | { number: string }
export const number = (text: string): Column => ({ number: text })

/** The cells of a row, from left to right; a cell with a class or a span of its own is a `<td>`. */
type Cells = ComponentChild[]
/** A row, alone or with attributes of its own. */
export type Row = Cells | { attributes: { id?: string; class?: string; 'data-browser'?: string }; cells: Cells }

/** The content of a cell, with a remark below it. */
export const noted = (text: ComponentChildren, note: ComponentChildren) => (
  <>
    {text} <span>{note}</span>
  </>
)

interface TableProps {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column[]
  rows: readonly Row[]
  /** Whether the first cell of a row names it: by default where it is no number. */
  namesRows?: boolean
  /**
   * Layout on a phone. `stack`: each row becomes a block of lines, each with its column's name; `fit`: columns move together;
   * `scroll-rows`: the table scrolls within its box. By default tables of four columns or more are stacked.
   */
  narrow?: 'stack' | 'fit' | 'scroll-rows'
}

const STACKED_FROM_COLUMNS = 4

/** A table that is read without scrolling sideways on a phone, where it is not of raw rows. */
export function Table({ label, columns, rows, namesRows = typeof columns[0] === 'string', narrow }: TableProps) {
  const shape = narrow ?? (columns.length < STACKED_FROM_COLUMNS ? 'fit' : 'stack')
  /** As blocks, rows and cells lose their meaning for screen readers unless it is stated. */
  const role = (name: AriaRole) => (shape === 'stack' ? name : undefined)
  const heads = columns.map((column) =>
    typeof column === 'string' ? { name: column } : { name: column.number, class: 'number' },
  )
  const cellOf = (cell: ComponentChild, index: number) => {
    if (index === 0 && namesRows)
      return (
        <th scope="row" role={role('rowheader')}>
          {cell}
        </th>
      )
    const { children, ...own } = isCell(cell) ? cell.props : { children: cell }
    const attributes = { class: heads[index]?.class, ...own, role: role('cell') }
    if (shape !== 'stack') return <td {...attributes}>{children}</td>
    const isNamed = own.colSpan === undefined && children !== undefined
    return (
      <td {...attributes} data-column={isNamed ? heads[index]?.name : undefined}>
        <div>{children}</div>
      </td>
    )
  }
  return (
    <div class={`scroll ${shape}`} role="region" aria-label={label} tabindex={0}>
      <table role={role('table')}>
        <thead role={role('rowgroup')}>
          <tr role={role('row')}>
            {heads.map(({ name, ...attributes }) => (
              <th scope="col" {...attributes} role={role('columnheader')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={role('rowgroup')}>
          {rows.map((row) => {
            const { attributes, cells } = Array.isArray(row) ? { attributes: {}, cells: row } : row
            return (
              <tr {...attributes} role={role('row')}>
                {cells.map(cellOf)}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

type CellProps = { children?: ComponentChildren; class?: string; colSpan?: number }
const isCell = (cell: ComponentChild): cell is VNode<CellProps> =>
  typeof cell === 'object' && cell !== null && 'type' in cell && cell.type === 'td'
