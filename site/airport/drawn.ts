import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import type { Comparison } from '../../answers/questions/compare-airports.ts'
import { nextSlice } from '../../answers/slices.ts'
import { bandChart } from '../charts/band-chart.ts'
import type { Chart } from '../charts/chart.ts'
import { comparisonChart } from '../charts/comparison-chart.ts'
import { heatmapChart } from '../charts/heatmap-chart.ts'
import { historyChart } from '../charts/history-chart.ts'
import { leaveByChart } from '../charts/leave-by-chart.ts'
import { recordChart } from '../charts/record-chart.ts'
import { terminalsChart } from '../charts/terminals-chart.ts'
import { chartToolkit, type Toolkit } from '../charts/toolkit.ts'
import type { AirportAnswers, BandAnswer } from './answers.ts'

/** Draws a chart. Other requests are answered before, because drawing takes milliseconds. */
export async function drawChart(draw: (toolkit: Toolkit) => Chart): Promise<Chart> {
  const toolkit = await chartToolkit()
  await nextSlice()
  return draw(toolkit)
}

/** The charts of the page of an airport; null if the visitor does not see the figures. */
export async function drawCharts(answers: AirportAnswers) {
  const { band, usual, history, terminalHistory, record } = answers
  const terminals = terminalHistory.shown
  return {
    band: band.shown && (await drawBand(band.shown)),
    usual: usual.shown && (await drawChart((toolkit) => heatmapChart(toolkit, usual.shown))),
    history: history.shown && (await drawChart((toolkit) => historyChart(toolkit, history.shown))),
    terminals:
      terminals &&
      (terminals.terminals.length === 0 ? null : await drawChart((toolkit) => terminalsChart(toolkit, terminals))),
    record: await drawChart((toolkit) => recordChart(toolkit, record)),
  }
}

/** The hours ahead, and those before from the first observed one on: an empty half of a chart says nothing. */
export function fromFirstObserved(band: BandAnswer): BandAnswer {
  const first = band.past.findIndex(({ observed_minutes }) => observed_minutes !== null)
  return { ...band, past: first < 0 ? [] : band.past.slice(first) }
}

export const drawBand = (band: BandAnswer): Promise<Chart> =>
  drawChart((toolkit) => bandChart(toolkit, fromFirstObserved(band)))

/** The waits of airports side by side. */
export const drawComparison = ({ airports }: Comparison): Promise<Chart> => {
  const compared = airports.map(({ airport, security }) => ({ airport, ...security }))
  return drawChart((toolkit) => comparisonChart(toolkit, { airports: compared }))
}

/** The curve of a plan; null if there is nothing to draw. */
export async function drawCurve(plan: LeaveBy, now: number): Promise<Chart | null> {
  const { airport: place, timezone, curve, recommended, confidence, departure, steps } = plan
  const counts_travel = steps.some(({ step }) => step === 'travel')
  if (curve.length < 2) return null
  return drawChart((toolkit) =>
    leaveByChart(toolkit, { place, timezone, curve, recommended, confidence, departure, counts_travel, now }),
  )
}
