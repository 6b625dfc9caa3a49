import type { Tool } from './define.ts'
import { getAirportOverviewTool } from './get-airport-overview.ts'
import { getFaaDelaysTool } from './get-faa-delays.ts'
import { getLiveWaitTimeTool } from './get-live-wait-time.ts'
import { getSecurityWaitEstimateTool } from './get-security-wait-estimate.ts'
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
]
