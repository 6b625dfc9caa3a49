import { createWaitTimeAlertTool } from '../../accounts/alerts/create-wait-time-alert.ts'
import { checkSchengenDaysTool } from './check-schengen-days.ts'
import { compareAirportsTool } from './compare-airports.ts'
import type { Tool } from './define.ts'
import { discoverMoreFlightToolsTool } from './discover-more-flight-tools.ts'
import { getAirlineBaggagePolicyTool } from './get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from './get-airline-baggage-rankings.ts'
import { getAirportDelaysSummaryTool } from './get-airport-delays-summary.ts'
import { getAirportOverviewTool } from './get-airport-overview.ts'
import { getAviationWeatherTool } from './get-aviation-weather.ts'
import { getBestTimeToFlyTool } from './get-best-time-to-fly.ts'
import { getCrowdReportsTool } from './get-crowd-reports.ts'
import { getEesForecastTool } from './get-ees-forecast.ts'
import { getEesWaitTimesTool } from './get-ees-wait-times.ts'
import { getFaaDelaysTool } from './get-faa-delays.ts'
import { getHistoricalWaitTimesTool } from './get-historical-wait-times.ts'
import { getLiveWaitTimeTool } from './get-live-wait-time.ts'
import { getLoungesTool } from './get-lounges.ts'
import { getSecurityWaitEstimateTool } from './get-security-wait-estimate.ts'
import { getTerminalsTool } from './get-terminals.ts'
import { getWaitTimePredictionsTool } from './get-wait-time-predictions.ts'
import { searchAirportsTool } from './search-airports.ts'
import { submitWaitTimeReportTool } from './submit-wait-time-report.ts'

/** Every tool of the MCP server. Adding one is a file here and a line in this list. */
export const TOOLS: readonly Tool[] = [
  searchAirportsTool,
  getAirportOverviewTool,
  compareAirportsTool,
  getFaaDelaysTool,
  getAirportDelaysSummaryTool,
  getAviationWeatherTool,
  getSecurityWaitEstimateTool,
  getBestTimeToFlyTool,
  getWaitTimePredictionsTool,
  getHistoricalWaitTimesTool,
  getLiveWaitTimeTool,
  getCrowdReportsTool,
  submitWaitTimeReportTool,
  getTerminalsTool,
  getLoungesTool,
  getAirlineBaggageRankingsTool,
  getAirlineBaggagePolicyTool,
  getEesWaitTimesTool,
  getEesForecastTool,
  checkSchengenDaysTool,
  createWaitTimeAlertTool,
  discoverMoreFlightToolsTool,
]
