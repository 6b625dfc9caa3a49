import type { z } from 'zod'
import {
  type ClosingTimes,
  closingTimesOf,
  GENERAL_CLOSING_TIMES,
  SECURITY_ENTRY_CLOSES,
} from '../../config/reference/closing-times.ts'
import {
  BAG_DROP,
  EXIT_CONTROL,
  EXIT_CONTROL_EES,
  type StepTime,
  US_INSPECTION,
  US_PRECLEARANCE,
  WALK,
  WALK_AT,
  WALK_AT_EVIDENCE,
} from '../../config/reference/departure-steps.ts'
import { type Basis, HOUR_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import type { BorderForecast } from '../../warehouse/publishing/read/border-forecasts.ts'
import { fixedMinutes, hourlyMinutes, waitMinutes } from './durations.ts'
import type { DeadlineAnswer } from './leave-by-answer.ts'
import type { SecurityWait } from './security-wait.ts'
import type { TimedStep } from './success.ts'
import { ASSUMED, CALLER, type Trip } from './trip.ts'

/** Source of the minutes of a step. */
export type StepBasis = Basis | 'published' | 'assumed' | 'caller'

export type StepName =
  | 'travel'
  | 'check_in'
  | 'bag_drop'
  | 'us_inspection'
  | 'security'
  | 'exit_passport_control'
  | 'us_preclearance'
  | 'walk_to_gate'

/** A step with its evidence. */
export interface DepartureStep extends TimedStep {
  name: StepName
  basis: StepBasis
  source: string
  as_of: string | null
  /** How the minutes follow, or why to doubt them; null if there is nothing to add. */
  note: string | null
}

/** A time after which a step is refused. */
export type Deadline = Omit<z.output<typeof DeadlineAnswer>, 'at' | 'at_local'>

interface Travel {
  travel_minutes?: number | undefined
  travel_p90_minutes?: number | undefined
}

export interface StepsRequest {
  trip: Trip
  travel: Travel
  security: SecurityWait | null
  /** Probability that security is open at an instant, and the instant of the next hour; null if its hours are not known. */
  opening: { probability: (instant: number) => number; next: (instant: number) => number } | null
  exit_forecast: BorderForecast | null
  origin_ms: number
  departure_ms: number
}

/** The steps from the door to the gate in their order, and the times after which one is refused. */
export function departureSteps(request: StepsRequest): { steps: DepartureStep[]; deadlines: Deadline[] } {
  const { trip, travel, origin_ms, departure_ms } = request
  const deadlines = deadlinesOf(trip)
  const minuteOf = (name: Deadline['deadline']) => {
    const found = deadlines.find(({ deadline }) => deadline === name)
    return found && Math.floor((departure_ms - origin_ms) / MINUTE_MS) - found.minutes_before_departure
  }
  const steps: DepartureStep[] = []
  if (travel.travel_minutes !== undefined) steps.push(travelStep(travel.travel_minutes, travel.travel_p90_minutes))
  if (trip.desk && !trip.bags)
    steps.push({ done_by: minuteOf('check_in_closes'), ...constantStep('check_in', BAG_DROP) })
  if (trip.bags) steps.push({ done_by: minuteOf('bag_drop_closes'), ...constantStep('bag_drop', BAG_DROP) })
  if (trip.us_inspection) steps.push(constantStep('us_inspection', US_INSPECTION))
  steps.push({ begin_by: minuteOf('security_entry_closes'), ...securityStep(request) })
  if (trip.exit_control) steps.push(exitStep(request))
  if (trip.preclearance) steps.push(constantStep('us_preclearance', US_PRECLEARANCE))
  steps.push({ done_by: minuteOf('boarding_closes'), ...constantStep('walk_to_gate', walkTime(trip)) })
  return { steps, deadlines }
}

function travelStep(minutes: number, p90: number | undefined): DepartureStep {
  const isExact = p90 === undefined || p90 <= minutes
  const taken = isExact ? fixedMinutes(minutes) : waitMinutes({ p10: minutes - (p90 - minutes) / 4, p50: minutes, p90 })
  return {
    name: 'travel',
    takes: () => taken,
    basis: 'caller',
    source: CALLER,
    as_of: null,
    note: isExact ? 'taken as certain: give travel_p90_minutes for a bad day on the road' : null,
  }
}

/** A step that takes what the reference says. */
function constantStep(name: StepName, time: StepTime): DepartureStep {
  const taken = waitMinutes({ p10: time.p50 / 5, p50: time.p50, p90: time.p90 })
  const note = [time.reason, time.caution].filter(Boolean).join('. ')
  return { name, takes: () => taken, basis: time.basis, source: time.source, as_of: time.as_of, note }
}

function securityStep({ trip, security, opening, origin_ms }: StepsRequest): DepartureStep {
  const open = opening && {
    probability: (minute: number) => opening.probability(origin_ms + minute * MINUTE_MS),
    next: (minute: number) => Math.ceil((opening.next(origin_ms + minute * MINUTE_MS) - origin_ms) / MINUTE_MS),
  }
  if (!security) throw new RangeError('a trip without a figure for security has no steps')
  return {
    name: 'security',
    takes: (minute) => security.minutesAt(origin_ms + minute * MINUTE_MS),
    open: open ?? undefined,
    basis: security.basis,
    source: security.lane ? `${security.source} ; ${security.lane.source}` : security.source,
    as_of: null,
    note: laneNote(trip, security),
  }
}

/** The basis of the security figures, if they do not describe the traveller's own queue. */
function laneNote({ airport, lane }: Trip, { kind, lane: row, terminal }: SecurityWait): string | null {
  const pattern = {
    forecast: null,
    usual: 'the usual pattern of this weekday and hour, as no forecast reaches this day',
    typical: `airports of this size worldwide, as there is no forecast of ${airport.iata} for this day`,
  }[kind]
  const place = row?.iata ?? 'other airports'
  const spread =
    row &&
    {
      standard: `one checkpoint of ${airport.iata} may be busier than its average: its spread is that of ${place}`,
      precheck: `the PreCheck lane, by its share of the standard wait at ${place}`,
      clear: `the CLEAR lane, by its share of the standard wait at ${place}`,
      priority: `the priority lane, by its share of the standard wait at ${place}`,
    }[lane]
  return [terminal && `terminal ${terminal}`, pattern, spread].filter(Boolean).join('; ') || null
}

/** Passport control on the way out: the airport's own forecast of that queue where there is one. */
function exitStep({ trip, exit_forecast, origin_ms }: StepsRequest): DepartureStep {
  const time = trip.ees ? EXIT_CONTROL_EES : EXIT_CONTROL
  if (!exit_forecast) return constantStep('exit_passport_control', time)
  const { start_ms, hours, version } = exit_forecast
  const known = hours.filter((hour) => hour !== null)
  if (known.length === 0) return constantStep('exit_passport_control', time)
  const otherwise = { p10: time.p50 / 5, p50: time.p50, p90: time.p90 }
  const minutesAt = hourlyMinutes(
    (hour) => hours[Math.floor((hour - start_ms) / HOUR_MS)] ?? null,
    () => otherwise,
  )
  return {
    name: 'exit_passport_control',
    takes: (minute) => minutesAt(origin_ms + minute * MINUTE_MS),
    basis: 'predicted',
    source: version,
    as_of: null,
    note: 'the queue at the booth, as the airport publishes it',
  }
}

function walkTime({ airport }: Trip): StepTime {
  const walkTimes = WALK[airport.size]
  const p50 = WALK_AT[airport.iata]
  if (p50 === undefined) return walkTimes
  return {
    p50,
    p90: Math.max(walkTimes.p90, Math.round((p50 * walkTimes.p90) / walkTimes.p50)),
    basis: 'published',
    reason: `a study of 2014 found ${p50} min on average at ${airport.iata}; the farthest gates as at other airports of its size`,
    ...WALK_AT_EVIDENCE,
  }
}

/** The times after which a step of the trip is refused: by the airline's page, else by the general rule. */
function deadlinesOf(trip: Trip): Deadline[] {
  const deadlines: Deadline[] = []
  const entry = SECURITY_ENTRY_CLOSES[trip.airport.iata]
  if (trip.bags) deadlines.push(closingOf('bag_drop_closes', 'bag_drop', trip))
  // Without bags the deadline also binds travellers who check in online, before they set out.
  const isUntold = trip.international && trip.airline === null
  if (!trip.bags && (trip.desk || isUntold)) deadlines.push(closingOf('check_in_closes', 'check_in', trip))
  if (entry)
    deadlines.push({
      deadline: 'security_entry_closes',
      minutes_before_departure: entry.minutes,
      basis: 'published',
      source: entry.source,
      as_of: entry.as_of,
      note: entry.caution,
    })
  deadlines.push(closingOf('boarding_closes', 'gate', trip))
  return deadlines
}

function closingOf(deadline: Deadline['deadline'], what: 'check_in' | 'bag_drop' | 'gate', trip: Trip): Deadline {
  const airline = trip.airline === null ? undefined : closingTimesOf(trip.airline)
  const stated = airline && statedClosing(airline, what, trip)
  const times = stated === null || stated === undefined ? GENERAL_CLOSING_TIMES : airline
  const rule = trip.international ? GENERAL_CLOSING_TIMES.international : GENERAL_CLOSING_TIMES.domestic
  return {
    deadline,
    minutes_before_departure: stated ?? rule[what] ?? 0,
    basis: times?.page == null ? 'assumed' : 'published',
    source: times?.source ?? ASSUMED,
    as_of: times?.as_of ?? null,
    note:
      times === GENERAL_CLOSING_TIMES
        ? `a general rule, as ${trip.airline === null ? 'no airline was given' : `no page of ${trip.airline} is known`}`
        : [times?.page === null && `not from a page of ${times.name} itself`, times?.caution]
            .filter(Boolean)
            .join('. ') || null,
  }
}

function statedClosing(times: ClosingTimes, what: 'check_in' | 'bag_drop' | 'gate', trip: Trip): number | null {
  const abroad = trip.short_haul && times.short_haul ? times.short_haul : times.international
  const stated = (trip.international ? abroad : times.domestic)[what]
  const here = what === 'gate' ? undefined : times.airports[trip.airport.iata]
  return here === undefined ? stated : Math.max(here, stated ?? 0)
}
