import {
  type ComponentChildren,
  cloneElement,
  Fragment,
  type FunctionComponent,
  toChildArray,
  type VNode,
} from 'preact'
import type { Airport } from '../../config/airports/directory.ts'
import { countryName } from '../../config/reference/countries.ts'

/** A number with thousands separators: 12,345. */
export const grouped = (number: number) => number.toLocaleString('en')

/** `21 Nov 2026`, of an instant (ISO 8601, UTC). */
export const dayText = (at: string) =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** An instant (ISO 8601, UTC) as people read it; the attribute keeps the exact value. */
export const Moment = ({ at }: { at: string }) => <time datetime={at}>{`${dayText(at)}, ${at.slice(11, 16)} UTC`}</time>

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
  /** At the end of the line. */
  children?: ComponentChildren
}

/** A line of a list that leads to the page of an airport. */
export const AirportLink = ({ airport: { iata, name }, about, children }: AirportLinkProps) => (
  <a href={airportAddress(iata)}>
    <Sign code={iata} />
    <span>
      <bdi>{name}</bdi>
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

/** The formats in which every picture can be had at its address. */
export const FORMATS = ['svg', 'csv', 'json'] as const

interface FilesProps {
  /** The address of the picture without its ending. */
  address: string
  /** With its question mark; empty where the picture has no parameters. */
  query?: string | undefined
  /** What the files are of, for people who hear the links. */
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

interface TableProps {
  /** Names the table for screen readers. */
  label: string
  columns: Column[]
  /** The rows: whole `<tr>` elements, or components that give them. */
  children: ComponentChildren
  /**
   * What a phone does with it. `stack`: each row becomes a block of lines, each with its column's name; `fit`: columns move
   * together; `scroll-rows`: the table scrolls within its box. By default tables of four columns or more are stacked.
   */
  narrow?: 'stack' | 'fit' | 'scroll-rows'
}

const STACKED_FROM_COLUMNS = 4

/** A table that is read without scrolling sideways on a phone, where it is not of raw rows. */
export function Table({ label, columns, children, narrow }: TableProps) {
  const shape = narrow ?? (columns.length < STACKED_FROM_COLUMNS ? 'fit' : 'stack')
  const names = columns.map((column) => (typeof column === 'string' ? column : column.number))
  const isStacked = shape === 'stack'
  return (
    <div class={`scroll ${shape}`} role="region" aria-label={label} tabindex={0}>
      {/* As blocks, rows and cells lose their meaning for who hears them, unless it is stated. */}
      <table role={isStacked ? 'table' : undefined}>
        <thead role={isStacked ? 'rowgroup' : undefined}>
          <tr role={isStacked ? 'row' : undefined}>
            {columns.map((column) => (
              <th
                scope="col"
                class={typeof column === 'string' ? undefined : 'number'}
                role={isStacked ? 'columnheader' : undefined}
              >
                {typeof column === 'string' ? column : column.number}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={isStacked ? 'rowgroup' : undefined}>
          {isStacked ? elementsOf(children).map((row) => stackedRow(row, names)) : children}
        </tbody>
      </table>
    </div>
  )
}

type Element = VNode<{ children?: ComponentChildren; class?: string; colSpan?: number }>

/** The elements that children stand for, without fragments; components are rendered, which pages may as they have no state. */
function elementsOf(children: ComponentChildren): Element[] {
  return toChildArray(children).flatMap((child) => {
    if (typeof child !== 'object') return []
    if (child.type === Fragment) return elementsOf(child.props.children)
    if (typeof child.type !== 'function') return [child as Element]
    return elementsOf((child.type as FunctionComponent<object>)(child.props))
  })
}

/** A row whose cells name their columns, for style sheets that stack them. */
function stackedRow(row: Element, names: readonly string[]): VNode {
  let column = 0
  const cells = elementsOf(row.props.children).map((cell) => {
    const name = names[column]
    column += cell.props.colSpan ?? 1
    if (cell.type === 'th') return cloneElement(cell, { role: 'rowheader' })
    const isNamed = cell.props.colSpan === undefined && cell.props.children !== undefined
    return cloneElement(
      cell,
      { role: 'cell', 'data-column': isNamed ? name : undefined } as object,
      <div>{cell.props.children}</div>,
    )
  })
  return cloneElement(row, { role: 'row' } as object, cells)
}
