import type { VNode } from 'preact'
import { airportAddress } from '../pages/elements.tsx'
import type { MarkStyle } from './map-colours.ts'
import type { MapEntry } from './map-entries.ts'
import type { BaseMap } from './world.ts'

/** The shape of a mark about its centre. */
export function MarkShape({ style: { shape, radius: r, name } }: { style: MarkStyle }): VNode {
  switch (shape) {
    case 'square':
      return <rect class={name} x={-r * 0.85} y={-r * 0.85} width={r * 1.7} height={r * 1.7} rx="1" />
    case 'triangle':
      return <path class={name} d={`M0 ${-r}L${r} ${r * 0.8}H${-r}Z`} />
    case 'diamond':
      return <path class={name} d={`M0 ${-r}L${r} 0L0 ${r}L${-r} 0Z`} />
    case 'ring':
      return <circle class={`${name} ring`} r={r} />
    default:
      return <circle class={name} r={r} />
  }
}

interface MarksProps {
  base: BaseMap
  entries: readonly MapEntry[]
  /** Whether a mark leads to the page of its airport. */
  linked: boolean
}

/** The marks of airports; the largest are drawn last, on top. */
export function Marks({ base, entries, linked }: MarksProps) {
  const marks = entries
    .flatMap((entry) => {
      const at = base.place(entry.airport)
      return at ? [{ entry, at }] : []
    })
    .sort((a, b) => a.entry.style.radius - b.entry.style.radius)
  return (
    <g class="marks">
      {marks.map(({ entry, at: [x, y] }) => (
        <g transform={`translate(${x} ${y})`}>
          {linked ? (
            <a href={airportAddress(entry.airport.iata)}>
              <Mark entry={entry} />
            </a>
          ) : (
            <Mark entry={entry} />
          )}
        </g>
      ))}
    </g>
  )
}

const Mark = ({ entry: { airport, text, style } }: { entry: MapEntry }) => (
  <g class="mark">
    <title>{`${airport.iata} ${airport.name}: ${text}`}</title>
    <MarkShape style={style} />
  </g>
)
