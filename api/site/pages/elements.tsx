import type { ComponentChildren } from 'preact'
import type { Airport } from '../../../config/airports/directory.ts'
import { countryName } from '../../../config/reference/countries.ts'

/** A number with thousands separators: 12,345. */
export const grouped = (number: number) => number.toLocaleString('en')

/** An instant (ISO 8601, UTC) as people read it; the attribute keeps the exact value. */
export const Moment = ({ at }: { at: string }) => (
  <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`}</time>
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
export const FORMATS = ['svg', 'png', 'csv', 'json'] as const

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

interface TableProps {
  /** Names the table for screen readers. */
  label: string
  columns: Column[]
  /** The rows: whole `<tr>` elements. */
  children: ComponentChildren
}

/** A table that scrolls on its own on narrow screens and can be scrolled by keyboard. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div class="scroll" role="region" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th scope="col">{column}</th>
              ) : (
                <th scope="col" class="number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
