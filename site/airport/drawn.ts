import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import type { Comparison } from '../../answers/questions/compare-airports.ts'
import { nextSlice } from '../../answers/slices.ts'
import { bandChart } from '../charts/band-chart.ts'
import type { Chart, Layout } from '../charts/chart.ts'
import { comparisonChart } from '../charts/comparison-chart.ts'
import { heatmapChart } from '../charts/heatmap-chart.ts'
import { historyChart } from '../charts/history-chart.ts'
import { leaveByChart } from '../charts/leave-by-chart.ts'
import { recordChart } from '../charts/record-chart.ts'
import { terminalsChart } from '../charts/terminals-chart.ts'
import { chartToolkit, type Toolkit } from '../charts/toolkit.ts'
import type { AirportAnswers, BandAnswer } from './answers.ts'
import type { DrawnChart } from './figure.tsx'

/** Draws a chart for phones and for wider screens. Other requests are answered in between, because drawing takes milliseconds. */
export async function drawBoth(draw: (toolkit: Toolkit, layout: Layout) => Chart): Promise<DrawnChart> {
  const toolkit = await chartToolkit()
  await nextSlice()
  const narrow = draw(toolkit, 'narrow')
  await nextSlice()
  return { narrow, wide: draw(toolkit, 'wide') }
}

/** The charts of the page of an airport; null where the visitor does not see the figures. */
export async function drawCharts(answers: AirportAnswers) {
  const { band, usual, history, terminalHistory, record } = answers
  const terminals = terminalHistory.shown
  return {
    band: band.shown && (await drawBand(band.shown)),
    usual: usual.shown && (await drawBoth((toolkit, layout) => heatmapChart(toolkit, usual.shown, layout))),
    history: history.shown && (await drawBoth((toolkit, layout) => historyChart(toolkit, history.shown, layout))),
    terminals:
      terminals &&
      (terminals.terminals.length === 0
        ? null
        : await drawBoth((toolkit, layout) => terminalsChart(toolkit, terminals, layout))),
    record: await drawBoth((toolkit, layout) => recordChart(toolkit, record, layout)),
  }
}

/** The hours ahead, and those before from the first observed one on: an empty half of a chart says nothing. */
function drawBand(band: BandAnswer): Promise<DrawnChart> {
  const first = band.past.findIndex(({ observed_minutes }) => observed_minutes !== null)
  const past = first < 0 ? [] : band.past.slice(first)
  return drawBoth((toolkit, layout) => bandChart(toolkit, { ...band, past }, layout))
}

/** The waits of airports side by side. */
export const drawComparison = ({ airports }: Comparison): Promise<DrawnChart> => {
  const compared = airports.map(({ airport, security }) => ({ airport, ...security }))
  return drawBoth((toolkit, layout) => comparisonChart(toolkit, { airports: compared }, layout))
}

/** The curve of a plan; null where there is nothing to draw. */
export async function drawCurve(plan: LeaveBy, now: number): Promise<DrawnChart | null> {
  const { airport: place, timezone, curve, recommended, confidence, departure } = plan
  if (curve.length < 2) return null
  return drawBoth((toolkit, layout) =>
    leaveByChart(toolkit, { place, timezone, curve, recommended, confidence, departure, now }, layout),
  )
}
