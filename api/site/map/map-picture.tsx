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
  /** The distance on the map within which two waits would cover each other: the longer one is written. */
  labelDistance: number
}

/** The marks of airports; the largest are drawn last, on top. */
export function Marks({ base, entries, linked, labelDistance }: MarksProps) {
  const marks = entries
    .flatMap((entry) => {
      const at = base.place(entry.airport)
      return at ? [{ entry, at }] : []
    })
    .sort((a, b) => a.entry.style.radius - b.entry.style.radius)
  const labelled: typeof marks = []
  for (const mark of marks.toReversed()) {
    const isFree = labelled.every(({ at }) => Math.hypot(at[0] - mark.at[0], at[1] - mark.at[1]) > labelDistance)
    if (mark.entry.wait_minutes !== null && isFree) labelled.push(mark)
  }
  return (
    <g class="marks">
      {marks.map((mark) => {
        const {
          entry,
          at: [x, y],
        } = mark
        const isLabelled = labelled.includes(mark)
        return (
          <g transform={`translate(${x} ${y})`}>
            {linked ? (
              <a href={airportAddress(entry.airport.iata)}>
                <Mark entry={entry} isLabelled={isLabelled} />
              </a>
            ) : (
              <Mark entry={entry} isLabelled={isLabelled} />
            )}
          </g>
        )
      })}
    </g>
  )
}

const Mark = ({ entry, isLabelled }: { entry: MapEntry; isLabelled: boolean }) => {
  const { airport, text, style, wait_minutes } = entry
  return (
    <g class="mark">
      <title>{`${airport.iata} ${airport.name}: ${text}`}</title>
      <MarkShape style={style} />
      {isLabelled && (
        <text x={style.radius + 3} y="5">
          {wait_minutes}
        </text>
      )}
    </g>
  )
}
