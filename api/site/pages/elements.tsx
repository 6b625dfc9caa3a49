import type { ComponentChildren } from 'preact'

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
