import type { Skill } from './define.ts'

export const planADeparture: Skill = {
  name: 'plan-a-departure',
  description:
    'Tell a traveller when to leave for a flight and what to expect at the airport, with the tools of the Holdshort MCP server. Use it when someone asks when to be at an airport, which airport of a city to take, or where the queue, terminal or lounge is.',
  body: ({ site_url }) => `# Plan a departure

Ask for what is missing: airport, local departure time, destination, bags to drop, airline, how long the way to the airport takes.

1. No airport code yet: \`search_airports\`. Several airports of a city: \`compare_airports\` with two to five; where \`comparable\` is false, none can be called faster.
2. When to leave: \`get_best_time_to_fly\` with \`iata\`, \`departure\`, \`destination\`, \`bags\`, \`airline\`, \`travel_minutes\`. Report when to leave and its probability, what dominates the
   risk, when bag drop and boarding close, what would help, and what is assumed. Without \`travel_minutes\` it says when to be at the airport. Days beyond the forecast rest on the usual pattern.
   The same over REST: \`GET /api/v1/airports/{iata}/leave-by\`, any tier.
3. The situation now: \`get_security_wait_estimate\`, or \`get_airport_overview\` for everything at once. It says little about a departure more than a few hours away.
4. What may delay the flight: \`get_airport_delays_summary\` (US: \`get_faa_delays\`), \`get_aviation_weather\`. \`unknown\` does not mean "no delay". This service does not know
   whether a flight is on time: \`discover_more_flight_tools\` lists servers that do.
5. At the airport: \`get_terminals\` and \`get_lounges\` (with the airline or card), \`get_airline_baggage_policy\`, \`get_airline_baggage_rankings\`. These facts have a date: give it.
6. Leaving or entering the Schengen area: the skill at ${site_url}/.well-known/agent-skills/cross-the-schengen-border/SKILL.md
7. Later: \`create_wait_time_alert\` sends a message to a phone when the wait crosses a threshold; explain \`connect_url\`. \`get_crowd_reports\` has what travellers reported;
   use \`submit_wait_time_report\` only for what the person has seen, and only when they ask for it.

With a Pro key: \`get_wait_time_predictions\` hour by hour, \`get_historical_wait_times\`, and \`get_live_wait_time\`, which requests the source now and may take seconds.

MCP clients have this as the prompts plan_departure and choose_airport.
`,
}
