import { addAccountPages } from '../../accounts/account-pages/routes.ts'
import { addAlertPages } from '../../accounts/alerts/alerts-page.tsx'
import { createWaitTimeAlertTool } from '../../accounts/alerts/create-wait-time-alert.ts'
import {
  deleteExpiredAlertsTask,
  deliverMessagesTask,
  dropLateMessagesTask,
  evaluateAlertsTask,
} from '../../accounts/alerts/periodic-tasks.ts'
import { endExpiredGrantsTask } from '../../accounts/billing/grants.ts'
import { addPlanPages } from '../../accounts/billing/plans-page.tsx'
import { reportOverageTask } from '../../accounts/billing/report-overage.ts'
import { rereadSubscriptionsTask } from '../../accounts/billing/reread-subscriptions.ts'
import { addDashboardPages } from '../../accounts/dashboard/dashboard-page.tsx'
import { expireConnectionsTask } from '../../accounts/oauth/connections.ts'
import { addConsentPage } from '../../accounts/oauth/consent-page.tsx'
import { deleteExpiredSignInsTask } from '../../accounts/people/periodic-task.ts'
import { getAccuracy } from '../../answers/accuracy/get-accuracy.ts'
import { getAirportAccuracy } from '../../answers/accuracy/get-airport-accuracy.ts'
import { getBusyDays } from '../../answers/departure/get-busy-days.ts'
import { getLeaveBy } from '../../answers/departure/get-leave-by.ts'
import { bulkWaitTimes } from '../../answers/questions/bulk-wait-times.ts'
import type { Query } from '../../answers/questions/define.ts'
import { getAcris } from '../../answers/questions/get-acris.ts'
import { getAirport } from '../../answers/questions/get-airport.ts'
import { getCoverage } from '../../answers/questions/get-coverage.ts'
import { getDelays } from '../../answers/questions/get-delays.ts'
import { getHistorical } from '../../answers/questions/get-historical.ts'
import { getImmigration } from '../../answers/questions/get-immigration.ts'
import { getPredictions } from '../../answers/questions/get-predictions.ts'
import { getWaitTimes } from '../../answers/questions/get-wait-times.ts'
import { listAirports } from '../../answers/questions/list-airports.ts'
import type { PeriodicTask } from '../../api/dependencies.ts'
import { McpCatalogue } from '../../api/mcp/catalogue.ts'
import { checkSchengenStayPrompt } from '../../api/prompts/check-schengen-stay.ts'
import { chooseAirportPrompt } from '../../api/prompts/choose-airport.ts'
import type { Prompt } from '../../api/prompts/define-prompt.ts'
import { planDeparturePrompt } from '../../api/prompts/plan-departure.ts'
import { deleteOldReportsTask } from '../../api/reports/delete-old-reports.ts'
import { handOverReportsTask } from '../../api/reports/hand-over.ts'
import type { Resource } from '../../api/resources/resources.ts'
import { accuracyResource, coverageResource, sourcesResource, tablesResource } from '../../api/resources/resources.ts'
import { deleteOldAvailabilityTask, recordAvailabilityTask } from '../../api/status/availability.ts'
import { heartbeatTask } from '../../api/status/health.ts'
import { checkSchengenDaysTool } from '../../api/tools/check-schengen-days.ts'
import { compareAirportsTool } from '../../api/tools/compare-airports.ts'
import type { Tool } from '../../api/tools/define.ts'
import { discoverMoreFlightToolsTool } from '../../api/tools/discover-more-flight-tools.ts'
import { getAirlineBaggagePolicyTool } from '../../api/tools/get-airline-baggage-policy.ts'
import { getAirlineBaggageRankingsTool } from '../../api/tools/get-airline-baggage-rankings.ts'
import { getAirportDelaysSummaryTool } from '../../api/tools/get-airport-delays-summary.ts'
import { getAirportOverviewTool } from '../../api/tools/get-airport-overview.ts'
import { getAviationWeatherTool } from '../../api/tools/get-aviation-weather.ts'
import { getBestTimeToFlyTool } from '../../api/tools/get-best-time-to-fly.ts'
import { getCrowdReportsTool } from '../../api/tools/get-crowd-reports.ts'
import { getEesForecastTool } from '../../api/tools/get-ees-forecast.ts'
import { getEesWaitTimesTool } from '../../api/tools/get-ees-wait-times.ts'
import { getFaaDelaysTool } from '../../api/tools/get-faa-delays.ts'
import { getHistoricalWaitTimesTool } from '../../api/tools/get-historical-wait-times.ts'
import { getLiveWaitTimeTool } from '../../api/tools/get-live-wait-time.ts'
import { getLoungesTool } from '../../api/tools/get-lounges.ts'
import { getSecurityWaitEstimateTool } from '../../api/tools/get-security-wait-estimate.ts'
import { getTerminalsTool } from '../../api/tools/get-terminals.ts'
import { getWaitTimePredictionsTool } from '../../api/tools/get-wait-time-predictions.ts'
import { searchAirportsTool } from '../../api/tools/search-airports.ts'
import { submitWaitTimeReportTool } from '../../api/tools/submit-wait-time-report.ts'
import type { Views } from '../../api/views/define-view.ts'
import { addAccuracyPage } from '../../site/accuracy/accuracy-route.ts'
import { addAirportPage } from '../../site/airport/route.tsx'
import { addComparePage } from '../../site/compare/compare-route.ts'
import { addDelaysPage } from '../../site/delays/delays-route.ts'
import type { SiteCatalogue } from '../../site/discovery/site-catalogue.ts'
import { addDocPages } from '../../site/docs/doc-routes.tsx'
import { addLegalPages } from '../../site/legal/routes.tsx'
import { addMaps } from '../../site/map/map-routes.ts'
import { addDataPage } from '../../site/open-data/export-page.tsx'
import type { AddPages } from '../../site/pages/page-scope.tsx'
import { addAirportPictures } from '../../site/pictures/routes.tsx'
import { addSearch } from '../../site/search/search-page.tsx'
import { addSitemap } from '../../site/sitemap/sitemap.ts'
import { addStartPage } from '../../site/start/start-page.tsx'
import { addStatusRoute } from '../../site/status/status-route.ts'
import { VIEW_STYLE } from '../../site/style/index.ts'
import { comparisonView } from '../../site/views/comparison.tsx'
import { departureView } from '../../site/views/departure.tsx'
import { hoursView, liveView, waitView } from '../../site/views/wait.tsx'
import { addWallPage } from '../../site/wall/wall-page.tsx'

/**
 * Every list that the api is composed of. No area imports this file: `app.ts` and `server.ts` pass the lists on.
 * To add a query, tool, resource, prompt, skill, page or periodic task, write its file and add one line here.
 */

/** The queries that `GET /airports/{iata}` lists are those below that path. */
const QUERIES_OF_AIRPORTS: readonly Query[] = [
  getWaitTimes,
  getPredictions,
  getImmigration,
  getAcris,
  getDelays,
  getHistorical,
  getLeaveBy,
  getBusyDays,
  getCoverage,
  getAirportAccuracy,
  getAccuracy,
]
/** The queries of the REST API. */
export const QUERIES: readonly Query[] = [
  listAirports,
  bulkWaitTimes,
  getAirport(QUERIES_OF_AIRPORTS),
  ...QUERIES_OF_AIRPORTS,
]

const AIRPORT_TOOLS: readonly Tool[] = [
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
]

/** The tools of the MCP server, in the order of the listing. */
export const TOOLS: readonly Tool[] = [...AIRPORT_TOOLS, discoverMoreFlightToolsTool(AIRPORT_TOOLS)]

/** The resources of the MCP server. */
export const RESOURCES: readonly Resource[] = [coverageResource, accuracyResource, sourcesResource, tablesResource]

/** The prompts of the MCP server. */
export const PROMPTS: readonly Prompt[] = [planDeparturePrompt, chooseAirportPrompt, checkSchengenStayPrompt]

/** The pages for people. */
export const PAGES: readonly AddPages[] = [
  addStartPage,
  addMaps,
  addDelaysPage,
  addComparePage,
  addWallPage,
  addSearch,
  addStatusRoute,
  addAccuracyPage,
  addDataPage,
  addDocPages,
  addSitemap,
  addAccountPages,
  addDashboardPages,
  addConsentPage,
  addPlanPages,
  addAlertPages,
  addLegalPages,
  addAirportPage,
  addAirportPictures,
]

/** Work that every api process repeats at an interval. */
export const PERIODIC_TASKS: readonly PeriodicTask[] = [
  deleteExpiredSignInsTask,
  expireConnectionsTask,
  endExpiredGrantsTask,
  reportOverageTask,
  rereadSubscriptionsTask,
  evaluateAlertsTask,
  deliverMessagesTask,
  dropLateMessagesTask,
  deleteExpiredAlertsTask,
  handOverReportsTask,
  deleteOldReportsTask,
  recordAvailabilityTask,
  deleteOldAvailabilityTask,
  heartbeatTask,
]

/** The views of answers that hosts with the MCP Apps extension show: those of the pages. */
const VIEWS: Views = {
  style: VIEW_STYLE,
  draw: {
    [compareAirportsTool.name]: comparisonView,
    [getBestTimeToFlyTool.name]: departureView,
    [getSecurityWaitEstimateTool.name]: waitView,
    [getWaitTimePredictionsTool.name]: hoursView,
    [getLiveWaitTimeTool.name]: liveView,
  },
}

/** Tools, resources, prompts and views of the MCP server. */
export const MCP_CATALOGUE = new McpCatalogue({
  tools: TOOLS,
  resources: RESOURCES,
  prompts: PROMPTS,
  views: VIEWS,
})

/** Everything that the discovery documents describe. */
export const SITE_CATALOGUE: SiteCatalogue = {
  queries: QUERIES,
  tools: TOOLS,
  resources: RESOURCES,
  prompts: PROMPTS,
  mcp: MCP_CATALOGUE,
}
