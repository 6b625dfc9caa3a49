import { checkSchengenDaysTool } from './check-schengen-days.ts'
import type { Tool } from './define.ts'
import { discoverMoreFlightToolsTool } from './discover-more-flight-tools.ts'
import { getAirlineBaggagePolicyTool } from './get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from './get-airline-baggage-rankings.ts'
import { getAirportOverviewTool } from './get-airport-overview.ts'
import { getFaaDelaysTool } from './get-faa-delays.ts'
import { getLiveWaitTimeTool } from './get-live-wait-time.ts'
import { getLoungesTool } from './get-lounges.ts'
import { getSecurityWaitEstimateTool } from './get-security-wait-estimate.ts'
import { getTerminalsTool } from './get-terminals.ts'
import { getWaitTimePredictionsTool } from './get-wait-time-predictions.ts'
import { searchAirportsTool } from './search-airports.ts'

/** Every tool of the MCP server. Adding one is a file here and a line in this list. */
export const TOOLS: readonly Tool[] = [
  searchAirportsTool,
  getAirportOverviewTool,
  getFaaDelaysTool,
  getSecurityWaitEstimateTool,
  getWaitTimePredictionsTool,
  getLiveWaitTimeTool,
  getTerminalsTool,
  getLoungesTool,
  getAirlineBaggageRankingsTool,
  getAirlineBaggagePolicyTool,
  checkSchengenDaysTool,
  discoverMoreFlightToolsTool,
]
