import { nextSlice } from '../../data/slices.ts'
import { bandChart } from '../charts/band-chart.ts'
import type { Chart, Layout } from '../charts/chart.ts'
import { comparisonChart } from '../charts/comparison-chart.ts'
import { heatmapChart } from '../charts/heatmap-chart.ts'
import { historyChart } from '../charts/history-chart.ts'
import { recordChart } from '../charts/record-chart.ts'
import { chartToolkit, type Toolkit } from '../charts/toolkit.ts'
import type { AirportAnswers } from './answers.ts'
import type { DrawnChart } from './sections.tsx'

/** The charts of the page of an airport; null where the visitor does not see the figures. */
export interface DrawnCharts {
  band: DrawnChart | null
  usual: DrawnChart | null
  history: DrawnChart | null
  record: DrawnChart
  nearby: DrawnChart | null
}

/** Draws a chart for phones and for wider screens. Other requests are answered in between, because drawing takes milliseconds. */
export async function drawBoth(draw: (toolkit: Toolkit, layout: Layout) => Chart): Promise<DrawnChart> {
  const toolkit = await chartToolkit()
  await nextSlice()
  const narrow = draw(toolkit, 'narrow')
  await nextSlice()
  return { narrow, wide: draw(toolkit, 'wide') }
}

export async function drawCharts({ band, usual, history, record, nearby }: AirportAnswers): Promise<DrawnCharts> {
  const { compared } = nearby
  return {
    band: band.shown && (await drawBoth((toolkit, layout) => bandChart(toolkit, band.shown, layout))),
    usual: usual.shown && (await drawBoth((toolkit, layout) => heatmapChart(toolkit, usual.shown, layout))),
    history: history.shown && (await drawBoth((toolkit, layout) => historyChart(toolkit, history.shown, layout))),
    record: await drawBoth((toolkit, layout) => recordChart(toolkit, record, layout)),
    nearby: compared && (await drawBoth((toolkit, layout) => comparisonChart(toolkit, comparisonOf(compared), layout))),
  }
}

/** The waits that a comparison draws. */
export const comparisonOf = ({ airports }: NonNullable<AirportAnswers['nearby']['compared']>) => ({
  airports: airports.map(({ airport, security: { wait_minutes, low, high, status, basis } }) => ({
    airport,
    wait_minutes,
    low,
    high,
    status,
    basis,
  })),
})
