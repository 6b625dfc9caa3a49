import type { Skill } from './define.ts'

export const planADeparture: Skill = {
  name: 'plan-a-departure',
  description:
    'Tell a traveller when to leave for a flight and what to reckon with at the airport, with the tools of the Holdshort MCP server. Use it when someone asks when to be at an airport, which airport of a city to take, or where the queue, terminal or lounge is.',
  body: ({ site_url }) => `# Plan a departure

Ask for what is missing: airport, departure in its local time, domestic or international, bags to drop, airline.

1. No code yet: \`search_airports\`. Several airports of a city: \`compare_airports\` with two to five; where \`comparable\` is false none is faster.
2. When to leave: \`get_best_time_to_fly\` with \`iata\`, \`departure\`, \`flight\`, \`checked_bags\`. It gives the latest times with their probability and the
   margins it assumes; name both. The way to the airport is not in it. It reaches seven days ahead.
3. What is so now: \`get_security_wait_estimate\`, or \`get_airport_overview\` for all at once. It says little of a departure more than a few hours away.
4. What may hold the flight up: \`get_airport_delays_summary\` (US: \`get_faa_delays\`), \`get_aviation_weather\`. \`unknown\` is not "no delay". Whether a flight
   is on time is not known here: \`discover_more_flight_tools\` names servers that know.
5. On the ground: \`get_terminals\` and \`get_lounges\` (with the airline or card), \`get_airline_baggage_policy\`, \`get_airline_baggage_rankings\`. These are dated facts: give the date.
6. Leaving or entering the Schengen area: the skill at ${site_url}/.well-known/agent-skills/cross-the-schengen-border/SKILL.md
7. Later: \`create_wait_time_alert\` tells a phone when the wait crosses a threshold; say what \`connect_url\` is for. \`get_crowd_reports\` has what travellers saw;
   with \`submit_wait_time_report\` report only what the person has seen, and only when asked to.

With a key of Pro: \`get_wait_time_predictions\` hour by hour, \`get_historical_wait_times\`, and \`get_live_wait_time\`, which asks the source this moment and may take seconds.

MCP clients find this as the prompts plan_departure and choose_airport.
`,
}
