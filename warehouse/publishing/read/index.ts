import { accuracy } from './accuracy.ts'
import { borderForecasts } from './border-forecasts.ts'
import { coverage } from './coverage.ts'
import type { Published } from './define-published.ts'
import { delays } from './delays.ts'
import { facts } from './fact-coverage.ts'
import { forecasts } from './forecasts.ts'
import { history } from './history.ts'
import { maps } from './maps.ts'
import { openingHours } from './opening-hours.ts'
import { screened } from './screened.ts'
import { health } from './source-health.ts'
import { waits } from './waits.ts'
import { tafs, weather } from './weather.ts'
import { weatherAlerts } from './weather-alerts.ts'

/** Everything a snapshot holds. A new published thing is a file here, one in `gather/`, and a line in both lists. */
const PUBLISHED = [
  openingHours,
  waits,
  forecasts,
  history,
  borderForecasts,
  accuracy,
  delays,
  weather,
  tafs,
  weatherAlerts,
  maps,
  screened,
  health,
  coverage,
  facts,
] as const

type Listed = (typeof PUBLISHED)[number]
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The content of all published things together; their keys differ. */
export type PublishedContent = Intersection<Parameters<Listed['index']>[0]>
/** The look-ups of all published things together. */
export type PublishedIndexes = Intersection<ReturnType<Listed['index']>>
/** The methods of all published things together. */
export type PublishedReader = Intersection<ReturnType<Listed['read']>>

/** The list for loops over all things, in which each takes its own part of the whole content and of all indexes. */
export const allPublished: readonly Published<
  PublishedContent,
  Partial<PublishedIndexes>,
  PublishedIndexes,
  Partial<PublishedReader>
>[] = PUBLISHED as never

/** The content of a snapshot: plain values, ready to be written. */
export interface SnapshotContent extends PublishedContent {
  generated_at: string
  /** True only in the demo. */
  simulated: boolean
}
