import { timezoneOf } from '../../config/airports/directory.ts'
import { projectTable } from '../../config/project-text.ts'
import { writtenOffset } from '../../config/time-zones/local-time.ts'
import { briefOf, DepartureBrief } from '../departure/departure-brief.ts'
import type { LeaveBy } from '../departure/leave-by-answer.ts'
import { isGrave } from '../statements/alert-news.ts'
import { ASK_FIRST } from '../statements/delay-text.ts'
import { dayText, dayTextFrom } from '../statements/local-clock.ts'
import { clockOf, localTime } from '../statements/local-time.ts'
import { OPENS_TOO_LATE } from '../statements/missed.ts'
import { closedForText } from '../statements/terminal-state.ts'
import { listText, percentText, sentenceOf, uncapitalised } from '../statements/text.ts'

/** The plan of a departure as sentences: when to leave, what would change it, the steps, and what was assumed. */

/** Steps, deadlines and changes of plan as sentences name them. */
const WORDS = projectTable<string>('answers/texts/departure-words.json')

/** The clock of a local time, with the day where it is another than that of `day`. */
const timeOn = (day: string) => (local: string) =>
  local.slice(0, 10) === day.slice(0, 10) ? clockOf(local) : `${clockOf(local)} on ${dayText(local)}`

/** The same beside the time to leave: on a night on which the clocks change, a later time may read as an earlier one. */
const timeBeside = (leave_at: string) => (local: string) => {
  const clock = timeOn(leave_at)(local)
  if (writtenOffset(local) === writtenOffset(leave_at)) return clock
  return `${clock} on the ${Date.parse(local) > Date.parse(leave_at) ? 'changed' : 'unchanged'} clock`
}

/** The day on which the journey begins: times of another day say so. */
const firstDay = ({ recommended, departure_local }: DepartureBrief) => recommended?.leave_at_local ?? departure_local

const hasTravel = ({ steps }: DepartureBrief) => steps.some(({ step }) => step === 'travel')

/** Of a flight before security opens: whoever is there in time is not too late. */
function opensTooLate(
  { security_opens_at_local: opens, security_open_lanes, departure_local }: DepartureBrief,
  flight: string,
): string {
  const closed =
    opens === null || security_open_lanes.length > 0
      ? `${closedForText(security_open_lanes)} and is not expected to open in time for ${flight}`
      : `Security opens at ${timeOn(departure_local)(opens)}, too late for ${flight}`
  return `${closed}. Ask the airline now: security may open earlier for the flight, or the flight leave later.`
}

function missedSentence(answer: DepartureBrief, flight: string, shouldHave: string): string {
  const withoutBags = answer.what_if.find(({ change }) => change === 'carry_on_only')
  if (withoutBags && withoutBags.probability >= 0.05)
    return `Too late to check bags for ${flight}: with carry-on only, leaving now gives ${percentText(withoutBags.probability)}.${shouldHave}`
  if (answer.unavailable_reason === OPENS_TOO_LATE) return opensTooLate(answer, flight)
  return `Too late for ${flight}: leaving now gives under 1 %.${shouldHave} Ask the airline now for another flight.`
}

/** The plan in a sentence. A closed airport, or an opening that nobody has announced, comes before the probability. */
function firstSentence(answer: DepartureBrief): string {
  const { closed_at_departure: closed, flights_resume_at_local: again, airport } = answer
  if (closed === null) return sentenceByOpening(answer)
  const when = again === null ? 'before flights go again' : 'for a flight before then'
  return `${airport} is expected to be closed at your departure: ${uncapitalised(ASK_FIRST)} ${closed} No time to leave is given ${when}: ask again with the new time of your flight.`
}

function sentenceByOpening(answer: DepartureBrief): string {
  const plan = planSentence(answer)
  const { security_must_open_by_local: openBy, departure_local } = answer
  if (openBy === null) return plan
  const condition = `${closedForText(answer.security_open_lanes)}, and when it opens is not known. If it is open by ${timeOn(departure_local)(openBy)}`
  return `${condition}: ${uncapitalised(plan)} Ask the airport or the airline before you set out.`
}

/** A plan with a lower probability probably misses the flight. */
const HALF = 0.5

function planSentence(answer: DepartureBrief): string {
  const { airport, departure_local, outcome, recommended, required_at_local, unavailable_reason, timestamp } = answer
  const time = timeOn(departure_local)
  const flight = `your ${clockOf(departure_local)} flight from ${airport} on ${dayTextFrom(departure_local, timestamp)}`
  const shouldHave =
    required_at_local === null
      ? ''
      : ` You would have had to ${hasTravel(answer) ? 'leave' : 'be there'} by ${time(required_at_local)}.`
  if (!recommended) {
    if (outcome === 'missed') return missedSentence(answer, flight, shouldHave)
    return `No time can be given for ${flight}: ${unavailable_reason}.`
  }
  const { leave_at_local, probability } = recommended
  const likely = `${percentText(probability)} likely to make your flight`
  if (outcome === 'late')
    return `${hasTravel(answer) ? 'Leave for' : 'Be at'} ${airport} now: you are ${likely}.${shouldHave}`
  const when = hasTravel(answer)
    ? `Leave for ${airport} at ${clockOf(leave_at_local)}`
    : `Be at ${airport} by ${clockOf(leave_at_local)}`
  const day = `on ${dayTextFrom(leave_at_local, timestamp)}`
  if (outcome === 'best_possible') {
    const ask = probability < HALF ? ` ${ASK_FIRST}` : ''
    return `${when} ${day}: ${likely}. No time is surer; leaving earlier does not help.${ask}`
  }
  return `${when} ${day}: ${likely}.`
}

/** Changes of fewer minutes are not worth a sentence. */
const WORTH_MINUTES = 5
/** An assumption that changes the answer by more than this stands behind the first sentence, with the other answer. */
const GRAVE_MINUTES = 10

const OTHERWISE: Record<string, { as_planned: string; otherwise: string }> = {
  international_flight: { as_planned: 'for a domestic flight', otherwise: 'for one abroad' },
  domestic_flight: { as_planned: 'for a flight abroad', otherwise: 'for a domestic one' },
  eu_passport: {
    as_planned: 'with a passport from outside the EU',
    otherwise: 'with an EU or Schengen passport, or as a resident there,',
  },
  other_passport: {
    as_planned: 'with an EU or Schengen passport, or as a resident there',
    otherwise: 'with any other',
  },
  flight_to_the_us: { as_planned: 'for a flight that does not go to the US', otherwise: 'for one to the US' },
}

/** Another answer to what was assumed, where that is another time; no more than two. */
const graveAssumptions = ({ what_if }: DepartureBrief) =>
  what_if
    .filter(({ change, minutes_later }) => change in OTHERWISE && Math.abs(minutes_later ?? 0) > GRAVE_MINUTES)
    .toSorted((a, b) => Math.abs(b.minutes_later ?? 0) - Math.abs(a.minutes_later ?? 0))
    .slice(0, 2)

const HAD_TO = 'you would have had to '

/** Whether the time of a change has passed: it is no advice any more. */
const hasPassed = ({ leave_at_local }: DepartureBrief['what_if'][number], { timestamp }: DepartureBrief) =>
  leave_at_local !== null && Date.parse(leave_at_local) < Date.parse(timestamp)

/** The assumptions of the plan, and the time otherwise. */
function assumptionText(answer: DepartureBrief): string[] {
  const { recommended, outcome, security_hours } = answer
  if (!recommended || outcome === 'missed') return []
  const grave = graveAssumptions(answer)
  const time = timeBeside(recommended.leave_at_local)
  const planned = grave.map(({ change }) => OTHERWISE[change]?.as_planned ?? '').join(' and ')
  const other = grave.map(
    (scenario) =>
      `${OTHERWISE[scenario.change]?.otherwise ?? ''} ${hasPassed(scenario, answer) ? HAD_TO : ''}${hasTravel(answer) ? 'leave' : 'be there'} by ${time(scenario.leave_at_local ?? '')}`,
  )
  return [
    grave.length > 0 && `That is ${planned}; ${listText(other)}.`,
    security_hours === 'not_known' &&
      // The first sentence has it.
      answer.security_must_open_by_local === null &&
      isNight(answer) &&
      'Whether security is open at that hour is not known here: ask the airport.',
  ].filter((part) => part !== false)
}

/** Whether security is passed at an hour at which many airports are closed. */
function isNight({ steps }: DepartureBrief): boolean {
  const hour = Number(steps.find(({ step }) => step === 'security')?.begins_at_local.slice(11, 13) ?? 12)
  return hour < 6 || hour >= 22
}

/** The step that costs most time, as in a sentence. If security does not open on the day, it is its closing. */
function riskName(
  step: string,
  { security_opens_at_local: opens, security_closes_at_local: closes }: DepartureBrief,
): string {
  if (step === 'walk_to_gate') return 'the walk to the gate'
  if (step === 'security_opening' && opens === null && closes !== null) return 'the hour at which security closes'
  return WORDS[step] ?? step
}

/** The basis of a step's minutes, in a traveller's words. */
const BASIS_NAMES: Record<string, string> = { caller: 'as you said' }

/** Whether it is worth saying that security is closed now: not of a flight that its hours of a later day count for. */
function saysClosed({
  security_now,
  security_must_open_by_local,
  security_opens_at_local,
  outcome,
  forecast,
}: DepartureBrief) {
  if (security_now !== 'closed' || security_must_open_by_local !== null) return false
  if (outcome === 'late' || outcome === 'missed') return true
  return security_opens_at_local !== null && forecast?.kind === 'forecast'
}

/** Text for a clock change on the way: one of the times may occur twice, and the way looks shorter or longer than it is. */
function clockChange({ recommended, departure_local }: DepartureBrief): string[] {
  if (!recommended) return []
  const { leave_at_local } = recommended
  const change = writtenOffset(departure_local) - writtenOffset(leave_at_local)
  if (change === 0) return []
  const way = change < 0 ? 'back' : 'forward'
  return [
    `The clocks go ${way} by ${Math.abs(change)} min before departure: ${clockOf(leave_at_local)} is before that.`,
  ]
}

function riskText(answer: DepartureBrief): string[] {
  const { dominated_by, peak, outcome, security_opens_at_local, security_closes_at_local, departure_local } = answer
  const time = timeOn(departure_local)
  const closed = saysClosed(answer) ? [sentenceOf(closedForText(answer.security_open_lanes))] : []
  const opens = [
    security_opens_at_local !== null && `Security opens at ${time(security_opens_at_local)}.`,
    security_closes_at_local !== null &&
      `Security closes at ${time(security_closes_at_local)}${answer.security_hours === 'known' ? '' : ' at the latest'}.`,
  ].filter((part) => part !== false)
  // The first sentence has it.
  if (answer.unavailable_reason === OPENS_TOO_LATE) return []
  if (outcome === 'missed') return [...closed, ...opens]
  const dominates = dominated_by === null ? [] : [`The risk is mostly ${riskName(dominated_by, answer)}.`]
  const change = clockChange(answer)
  const busy = peak === null || outcome === 'no_figure' ? [] : [`It is a busy day (${peak}); that is counted.`]
  const [grave, other] = alertTexts(answer)
  const news = [...grave, answer.delays, answer.weather, ...other].filter((part) => part !== null)
  if (grave.length > 0) news.push(ASK_FIRST)
  const delayed = news.length === 0 ? [] : [...news, 'That is not counted: come for the scheduled time.']
  return [...change, ...dominates, ...closed, ...opens, ...busy, ...delayed, ...forecastText(answer)]
}

/** The weather alerts of the flight: those that may stop it, which come before delays, and the others. */
function alertTexts({ weather_alerts }: DepartureBrief): [string[], string[]] {
  const alertText = ({ airport, text }: DepartureBrief['weather_alerts'][number]) => `${airport}: ${text}`
  const grave = weather_alerts.filter(isGrave).map(alertText)
  return [grave, weather_alerts.filter((alert) => !isGrave(alert)).map(alertText)]
}

/** The basis of the security figures if no forecast of the airport reaches the day. */
function forecastText({ forecast, airport }: DepartureBrief): string[] {
  if (!forecast) return []
  const why =
    forecast.reached_by === null
      ? 'no forecast is known for that time'
      : `forecasts of that day are part of the ${forecast.reached_by} plan`
  if (forecast.kind === 'usual') return [`Security is by the usual pattern of that weekday and hour: ${why}.`]
  if (forecast.kind === 'typical') return [`Security is by what is typical of airports of its size: ${why}.`]
  const { basis, adjusted_to } = forecast
  if (basis === 'typical' && adjusted_to)
    return [
      `Security follows ${adjusted_to.wait_minutes} min ${adjusted_to.basis} at ${clockOf(localTime(Date.parse(adjusted_to.observed_at), timezoneOf(airport)))}, and what is typical of airports of its size.`,
    ]
  if (basis === 'typical')
    return ['The airport’s own security waits are not known for that time: those of airports of its size count.']
  return []
}

/** When one is nearly certain to be in time, and from when on hardly any more. */
function timesText(answer: DepartureBrief): string[] {
  const { leave_times_local: times, outcome, recommended } = answer
  if (outcome !== 'recommended' || !recommended) return []
  const time = timeBeside(recommended.leave_at_local)
  const [who, whoever] = hasTravel(answer) ? ['Leave', 'leaves'] : ['Be there', 'arrives']
  if (times.p99 !== null && times.p99 === times.p50) return [`${who} by ${time(times.p99)}: later is too late.`]
  const sure = times.p99 !== null && Date.parse(times.p99) < Date.parse(recommended.leave_at_local)
  return [
    hasTravel(answer) ? `You arrive at about ${timeOn(recommended.leave_at_local)(recommended.arrive_at_local)}.` : '',
    sure && times.p99 !== null ? `${who} by ${time(times.p99)} to be nearly certain.` : '',
    times.p50 === null ? '' : `Whoever ${whoever} after ${time(times.p50)} more likely misses it than not.`,
  ].filter((part) => part !== '')
}

function stepsText(answer: DepartureBrief): string[] {
  const { steps, deadlines, outcome, forecast, departure_local } = answer
  if (outcome === 'missed' || outcome === 'no_figure') return []
  const time = timeOn(firstDay(answer))
  const lines = steps.map(({ step, begins_at_local, p50_minutes, p90_minutes, basis }) => {
    const slow = p90_minutes > p50_minutes ? ` (${p90_minutes} on one day in ten)` : ''
    const known =
      step === 'security' && forecast?.kind === 'usual' ? 'usual at that hour' : (BASIS_NAMES[basis] ?? basis)
    return `- ${time(begins_at_local)} ${WORDS[step] ?? step}: ${p50_minutes} min${slow}, ${known}`
  })
  const isOnline = steps.every(({ step }) => step !== 'check_in')
  const closings = deadlines.map(({ deadline, at_local, basis }) => {
    const name = deadline === 'check_in_closes' && isOnline ? 'online_check_in_closes' : deadline
    return `${WORDS[name] ?? name} ${time(at_local)}${basis === 'assumed' ? ' (general rule)' : ''}`
  })
  return [...lines, `- ${sentenceOf([...closings, `departure ${time(departure_local)}`].join('; '))}`]
}

function whatIfText(answer: DepartureBrief): string[] {
  const { what_if, outcome, recommended } = answer
  const stated = graveAssumptions(answer)
  return what_if.flatMap((scenario) => {
    const { change, parameter, minutes_later, probability } = scenario
    const who = WORDS[change]
    if (who === undefined || stated.includes(scenario)) return []
    if (outcome !== 'recommended' || minutes_later === null)
      return probability > (recommended?.probability ?? 0) + 0.05 ? [`${who} you are likelier to make it.`] : []
    if (Math.abs(minutes_later) < WORTH_MINUTES) return []
    const bad = change === 'bad_day_on_the_road' ? ` ${parameter.split('=')[1]} min on one day in ten` : ''
    return [
      `${who}${bad}: ${hasPassed(scenario, answer) ? HAD_TO : ''}${hasTravel(answer) ? 'leave' : 'be there'} ${Math.abs(minutes_later)} min ${minutes_later > 0 ? 'later' : 'earlier'}.`,
    ]
  })
}

export function departureText(answer: DepartureBrief, whole: DepartureBrief): string {
  const notes = [...whatIfText(whole)]
  if (answer.recommended && !hasTravel(answer)) notes.push('Travel to the airport is not counted: give travel_minutes.')
  return [
    [firstSentence(whole), ...assumptionText(whole), ...riskText(answer), ...timesText(answer)].join(' '),
    ...stepsText(answer),
    notes.join(' '),
    answer.assumed.length > 0 && answer.outcome !== 'no_figure' && `Assumed: ${answer.assumed.join('; ')}.`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** A plan of a departure in a traveller's words, for pages: the same sentences as the tool's. */
export function departureWords(answer: LeaveBy) {
  const brief: DepartureBrief = DepartureBrief.parse(briefOf(answer))
  const bare = (lines: string[]) => lines.map((line) => line.replace(/^- /, ''))
  return {
    lead: firstSentence(brief),
    risk: [...assumptionText(brief), ...riskText(brief), ...timesText(brief)],
    steps: bare(stepsText(brief)),
    changes: whatIfText(brief),
    counts_travel: hasTravel(brief),
  }
}
