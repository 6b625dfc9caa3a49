import { z } from 'zod'
import { departureTime } from '../../answers/departure/departure-time.ts'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { airlineByCode } from '../../answers/search/find-airline.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { airportArgument, choiceArgument, definePrompt, formerCodeText, type PromptStep } from './define-prompt.ts'

const BAGS = ['no', 'yes'] as const

export const planDeparturePrompt = definePrompt({
  name: 'plan_departure',
  title: 'Plan a departure',
  description: 'When to leave for a flight, and what to expect at the airport.',
  input: z.strictObject({
    airport: airportArgument.describe('IATA code of the airport, like JFK.'),
    departure: z
      .string()
      .max(60)
      .describe('Scheduled departure in the airport’s local time, like 2026-11-25T17:30 or tomorrow 6am.'),
    destination: airportArgument.optional().describe('IATA code of the airport of arrival, like LHR.'),
    checked_bags: choiceArgument([...BAGS])
      .default('no')
      .describe('yes or no: whether bags are checked in; default: no.'),
    travel_minutes: z
      .string()
      .trim()
      .regex(/^\d{1,4}$/, 'must be a number of minutes, like 45')
      .optional()
      .describe('Minutes of your own way to the airport, like 45.'),
    airline: z
      .string()
      .trim()
      .min(2)
      .max(60)
      .optional()
      .describe('Name or IATA code of the airline, or a flight number, like DL.'),
  }),
  completes: { airport: 'airport', destination: 'airport', checked_bags: BAGS },
  example: {
    airport: 'JFK',
    departure: 'tomorrow 17:30',
    destination: 'ZRH',
    checked_bags: 'yes',
    travel_minutes: '45',
    airline: 'DL',
  },
  plan({ airport: code, departure: text, destination: to, checked_bags, travel_minutes, airline: named }, context) {
    const airline = named === undefined ? undefined : airlineByCode(named).code
    const airport = findAirport(code, context)
    const { iata, timezone } = airport
    const departure = localTime(departureTime(text, airport, context.now).departure_ms, timezone)
    const bags = checked_bags === 'yes'
    const destination = to === undefined ? null : findAirport(to, context)
    const border = isSchengenAirport(airport) && destination !== null && !isSchengenAirport(destination)
    const steps: PromptStep[] = [
      {
        tool: 'get_best_time_to_fly',
        arguments: {
          iata,
          departure,
          ...(destination !== null && { destination: destination.iata }),
          ...(airline !== undefined && { airline }),
          bags,
          ...(travel_minutes !== undefined && { travel_minutes: Number(travel_minutes) }),
        },
        purpose: 'get when to leave, with its probability, what it hangs on and what would help',
      },
      { tool: 'get_security_wait_estimate', arguments: { iata }, purpose: 'compare that with the current wait' },
      { tool: 'get_airport_delays_summary', arguments: { iata }, purpose: 'see whether departures are delayed' },
      {
        tool: 'get_aviation_weather',
        arguments: { iata },
        purpose: 'see the weather forecast around the departure',
      },
      {
        tool: 'get_terminals',
        arguments: airline ? { iata, airline } : { iata },
        purpose: airline ? 'find the terminal and checkpoint of the airline' : 'name the terminals and checkpoints',
      },
    ]
    if (border) steps.push({ tool: 'get_ees_forecast', arguments: { iata }, purpose: 'plan for the border queue' })
    if (airline)
      steps.push({
        tool: 'get_airline_baggage_policy',
        arguments: { airline },
        purpose: 'check the bags against its rules',
      })
    return {
      task: `${formerCodeText(code, context)}${formerCodeText(to, context)}Plan my departure from ${airport.name} (${iata})${destination ? ` to ${destination.name} (${destination.iata})` : ''} at ${departure.slice(0, 16)} local time, ${bags ? 'with' : 'without'} checked bags.`,
      steps,
      answer:
        'Then tell me, in local time: when to leave and when I arrive at the airport, with what probability I make the flight, what the risk hangs on, when bag drop and boarding close, what would help, and what was assumed. If you know my way to the airport, give it as travel_minutes; without it, only the time to be at the airport is known. The current wait says little about a departure that is more than a few hours away.',
    }
  },
})
