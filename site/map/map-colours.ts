import { DELAY_GROUPS } from '../../answers/statements/delay-text.ts'
import { uncapitalised } from '../../answers/statements/text.ts'
import { ParameterError } from '../../config/errors.ts'
import type { DelayStatus } from '../../config/vocabulary.ts'
import type { MarkName } from '../style/map.ts'

/** The figures that can colour the airports of the map. */
export const COLOURS = ['wait', 'delay'] as const
export type Colour = (typeof COLOURS)[number]

/** How a mark is drawn: its colour, its shape and its size, so that the colour alone carries no meaning. */
export interface MarkStyle {
  /** The class that gives the colour. */
  name: MarkName
  /** Its meaning in the legend. */
  text: string
  shape: 'dot' | 'ring' | 'square' | 'triangle' | 'diamond'
  /** Half of its width. */
  radius: number
}

const style = (name: MarkName, text: string, radius: number, shape: MarkStyle['shape'] = 'dot'): MarkStyle => ({
  name,
  text,
  shape,
  radius,
})

/** Upper ends of the classes of waits, in minutes. */
const WAIT_CLASSES: [below: number, MarkStyle][] = [
  [5, style('wait-0', 'under 5 min', 4.5)],
  [10, style('wait-1', '5 to 9', 5.5)],
  [20, style('wait-2', '10 to 19', 6.5)],
  [40, style('wait-3', '20 to 39', 8)],
  [Number.POSITIVE_INFINITY, style('wait-4', '40 and more', 9.5)],
]
const CLOSED = style('shut', 'closed', 4.5, 'square')
const FORECAST = style('forecast', 'estimate, not measured now', 4.5, 'ring')

/** The classes of waits, from short to long. */
export const LEVELS: readonly MarkStyle[] = WAIT_CLASSES.map(([, style]) => style)

export const waitStyle = (minutes: number) => WAIT_CLASSES.find(([below]) => minutes < below)![1]
export { CLOSED as CLOSED_STYLE, FORECAST as FORECAST_STYLE }

/** A state of flights as the legend names it: `ground stops`. */
const groupName = (status: DelayStatus) => uncapitalised(DELAY_GROUPS[status])

export const DELAY_STYLES: Record<DelayStatus, MarkStyle> = {
  closed: style('delay-closed', groupName('closed'), 8, 'square'),
  ground_stop: style('delay-stop', groupName('ground_stop'), 8.5, 'diamond'),
  ground_delay: style('delay-ground', groupName('ground_delay'), 8, 'triangle'),
  minor_delay: style('delay-minor', groupName('minor_delay'), 6.5),
  normal: style('delay-none', groupName('normal'), 3, 'ring'),
  unknown: style('delay-unknown', groupName('unknown'), 4, 'ring'),
}

/** The entries of the legend, in order. */
export const LEGENDS: Record<Colour, MarkStyle[]> = {
  wait: [...WAIT_CLASSES.map(([, style]) => style), CLOSED, FORECAST],
  delay: Object.values(DELAY_STYLES).filter(({ name }) => name !== 'delay-none' && name !== 'delay-unknown'),
}

export const COLOUR_TITLES: Record<Colour, string> = {
  wait: 'Security wait now',
  delay: 'US flight delays on the map',
}

/** The colour that a request names; `wait` where it names none. @throws ParameterError */
export function colourOf(parameters: unknown): Colour {
  const { colour = 'wait' } = parameters as { colour?: unknown }
  const known = COLOURS.find((candidate) => candidate === colour)
  if (known) return known
  throw ParameterError.of('colour', `must be one of ${COLOURS.join(', ')}`)
}
