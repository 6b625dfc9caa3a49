import { DateTime } from 'luxon'
import { z } from 'zod'
import { fraction, minutes } from '../../../config/facts.ts'
import { getLeaveBy, type LeaveBy } from '../departure/get-leave-by.ts'
import { clockOf } from '../queries/local-time.ts'
import { iata } from '../queries/shared-fields.ts'
import { curveOfLeaving } from '../views/extras.ts'
import { departureView } from '../views/views.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { listText } from './text.ts'

const leaving = z.string().nullable()

/** The default answer: without the sources of each figure, which the full answer has. */
const output = z.strictObject({
  airport: iata,
  departure: z.string(),
  departure_local: z.string(),
  outcome: z.string(),
  recommended: z
    .strictObject({
      leave_at: z.string(),
      leave_at_local: z.string(),
      arrive_at: z.string(),
      arrive_at_local: z.string(),
      probability: fraction,
    })
    .nullable(),
  required_at_local: z.string().nullable(),
  leave_times_local: z.strictObject({ p50: leaving, p90: leaving, p99: leaving }),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      begins_at_local: z.string(),
      p50_minutes: minutes,
      p90_minutes: minutes,
      basis: z.string(),
      source: z.string(),
    }),
  ),
  deadlines: z.array(
    z.strictObject({ deadline: z.string(), at_local: z.string(), basis: z.string(), source: z.string() }),
  ),
  dominated_by: z.string().nullable(),
  what_if: z.array(
    z.strictObject({
      change: z.string(),
      minutes_later: z.int().nullable(),
      probability: fraction,
    }),
  ),
  peak: z.string().nullable(),
  security_opens_at_local: z.string().nullable(),
  security_closes_at_local: z.string().nullable(),
  security_must_open_by_local: z.string().nullable(),
  delays: z.string().nullable(),
  security_now: z.string(),
  forecast: z.strictObject({ kind: z.string(), basis: z.string().nullable() }).nullable(),
  assumed: z.array(z.string()),
  unavailable_reason: z.string().nullable(),
  simulated: z.boolean(),
})

/** Assumptions that change most when they are wrong; the others stand in the full answer. */
const WORTH_SAYING = /^(departure|international|leaves_schengen|ees|preclearance|lane|terminal)$/

/** A source in short: of pages only their sites. */
function sitesOf(source: string): string {
  const parts = source
    .split(' ; ')
    .map((part) => /^https?:\/\/(?:www\.)?([^/\s]+)/.exec(part)?.[1] ?? part.split(',')[0] ?? part)
  return [...new Set(parts)].join(', ')
}

/** Whether security is passed at an hour at which many airports are closed. */
function isNight({ steps }: LeaveBy): boolean {
  const hour = Number(steps.find(({ step }) => step === 'security')?.begins_at_local.slice(11, 13) ?? 12)
  return hour < 6 || hour >= 22
}

const isAssumed = (source: string) => source.startsWith('assumed')

function briefOf(answer: LeaveBy): z.input<typeof output> {
  const { airport, departure, departure_local, outcome, recommended, required_at_local, leave_times } = answer
  const { dominated_by, security_opens_at_local, security_closes_at_local, security_must_open_by_local, delays } =
    answer
  const { security_now, forecast, unavailable_reason, simulated } = answer
  return {
    airport,
    departure,
    departure_local,
    outcome,
    recommended,
    required_at_local,
    leave_times_local: {
      p50: leave_times.p50?.leave_at_local ?? null,
      p90: leave_times.p90?.leave_at_local ?? null,
      p99: leave_times.p99?.leave_at_local ?? null,
    },
    steps: answer.steps.map(({ step, begins_at_local, p50_minutes, p90_minutes, basis, source }) => ({
      step,
      begins_at_local,
      p50_minutes,
      p90_minutes,
      basis,
      source: sitesOf(source),
    })),
    deadlines: answer.deadlines.map(({ deadline, at_local, basis, source }) => ({
      deadline,
      at_local,
      basis,
      source: sitesOf(source),
    })),
    dominated_by,
    what_if: answer.what_if.map(({ change, minutes_later, probability }) => ({
      change,
      minutes_later,
      probability,
    })),
    peak: answer.peak?.name ?? null,
    security_opens_at_local,
    security_closes_at_local,
    security_must_open_by_local,
    delays,
    security_now,
    forecast: forecast && { kind: forecast.kind, basis: forecast.basis },
    assumed: answer.assumptions.flatMap(({ name, value, source }) =>
      (WORTH_SAYING.test(name) || (name === 'security_open' && isNight(answer))) && isAssumed(source)
        ? [`${name}=${value} (${source.replace(/^assumed: /, '')})`]
        : [],
    ),
    unavailable_reason,
    simulated,
  }
}

type Brief = z.output<typeof output>

const percent = (probability: number) => `${Math.floor(probability * 100)} %`
const dayText = (local: string) =>
  DateTime.fromISO(local.slice(0, 10), { zone: 'utc' }).setLocale('en').toFormat('ccc d LLL')

/** The clock of a local time, with the day where it is another than that of `day`. */
const timeOn = (day: string) => (local: string) =>
  local.slice(0, 10) === day.slice(0, 10) ? clockOf(local) : `${clockOf(local)} on ${dayText(local)}`

/** The day on which the journey begins: times of another day say so. */
const firstDay = ({ recommended, departure_local }: Brief) => recommended?.leave_at_local ?? departure_local

const hasTravel = ({ steps }: Brief) => steps.some(({ step }) => step === 'travel')

function missedSentence({ what_if }: Brief, flight: string, shouldHave: string): string {
  const withoutBags = what_if.find(({ change }) => change === 'carry_on_only')
  if (withoutBags && withoutBags.probability >= 0.05)
    return `Too late to check bags for ${flight}: with carry-on only, leaving now gives ${percent(withoutBags.probability)}.${shouldHave}`
  return `Too late for ${flight}: leaving now gives under 1 %.${shouldHave} Ask the airline now for another flight.`
}

/** The plan in a sentence. Where it hangs on an opening that nobody has announced, that comes before the probability. */
function firstSentence(answer: Brief): string {
  const plan = planSentence(answer)
  const { security_must_open_by_local: openBy, departure_local } = answer
  if (openBy === null) return plan
  const condition = `Security is closed now, and when it opens is not known. If it is open by ${timeOn(departure_local)(openBy)}`
  return `${condition}: ${plan.slice(0, 1).toLowerCase()}${plan.slice(1)} Ask the airport or the airline before you set out.`
}

function planSentence(answer: Brief): string {
  const { airport, departure_local, outcome, recommended, required_at_local, unavailable_reason } = answer
  const time = timeOn(departure_local)
  const flight = `your ${clockOf(departure_local)} flight from ${airport} on ${dayText(departure_local)}`
  const shouldHave =
    required_at_local === null
      ? ''
      : ` You would have had to ${hasTravel(answer) ? 'leave' : 'be there'} by ${time(required_at_local)}.`
  if (!recommended) {
    if (outcome === 'missed') return missedSentence(answer, flight, shouldHave)
    return `No time can be given for ${flight}: ${unavailable_reason}.`
  }
  const { leave_at_local, arrive_at_local, probability } = recommended
  const when = hasTravel(answer)
    ? `Leave at ${time(leave_at_local)} (arrive ${timeOn(leave_at_local)(arrive_at_local)})`
    : `Be at the airport by ${time(leave_at_local)}`
  const likely = `${percent(probability)} likely to make ${flight}`
  if (outcome === 'late')
    return `${hasTravel(answer) ? 'Leave' : 'Be at the airport'} now, at ${time(leave_at_local)}: ${likely}.${shouldHave}`
  if (outcome === 'best_possible') return `${when}: ${likely}. No time is surer; leaving earlier does not help.`
  return `${when}: ${likely}.`
}

const STEP_NAMES: Record<string, string> = {
  travel: 'the way to the airport',
  kerb_to_hall: 'kerb to hall',
  check_in: 'check-in desk',
  bag_drop: 'bag drop',
  document_check: 'document check',
  security: 'security',
  us_preclearance: 'US preclearance',
  exit_passport_control: 'passport control',
  walk_to_gate: 'walk to the gate',
  security_opening: 'the hour at which security opens',
}

/** The step that costs most time, as a sentence says it. Where security opens at no time of the day, it is its closing. */
function riskName(step: string, { security_opens_at_local: opens, security_closes_at_local: closes }: Brief): string {
  if (step === 'walk_to_gate') return 'the walk to the gate'
  if (step === 'security_opening' && opens === null && closes !== null) return 'the hour at which security closes'
  return STEP_NAMES[step] ?? step
}

/** What a step's minutes rest on, in a traveller's words. */
const BASIS_NAMES: Record<string, string> = { caller: 'as you said' }

const DEADLINE_NAMES: Record<string, string> = {
  bag_drop_closes: 'bag drop closes',
  check_in_closes: 'check-in closes',
  security_entry_closes: 'security lets nobody in after',
  boarding_closes: 'boarding closes',
}

/** Whether it is worth saying that security is closed now: not of a flight that its hours of a later day count for. */
function saysClosed({ security_now, security_must_open_by_local, security_opens_at_local, outcome, forecast }: Brief) {
  if (security_now !== 'closed' || security_must_open_by_local !== null) return false
  if (outcome === 'late' || outcome === 'missed') return true
  return security_opens_at_local !== null && (forecast?.kind === 'forecast' || forecast?.kind === 'caller')
}

function riskText(answer: Brief): string[] {
  const { dominated_by, peak, outcome, security_opens_at_local, security_closes_at_local, departure_local, delays } =
    answer
  const time = timeOn(departure_local)
  const closed = saysClosed(answer) ? ['Security is closed now.'] : []
  const opens = [
    security_opens_at_local !== null && `Security opens at ${time(security_opens_at_local)}.`,
    security_closes_at_local !== null && `Security closes at ${time(security_closes_at_local)}.`,
  ].filter((part) => part !== false)
  if (outcome === 'missed') return [...closed, ...opens]
  const dominates = dominated_by === null ? [] : [`The risk is mostly ${riskName(dominated_by, answer)}.`]
  const busy = peak === null || outcome === 'no_figure' ? [] : [`It is a busy day (${peak}); that is counted.`]
  const delayed = delays === null ? [] : [`${delays} That is not counted: come for the scheduled time.`]
  return [...dominates, ...closed, ...opens, ...busy, ...delayed, ...forecastText(answer.forecast)]
}

/** What the security figures are of, where no forecast of the airport reaches the day. */
function forecastText(forecast: Brief['forecast']): string[] {
  if (forecast?.kind === 'usual')
    return ['No forecast reaches that day: security is by the usual pattern of that weekday and hour.']
  if (forecast?.basis === 'typical')
    return ['The airport’s own security waits are not known for that time: those of airports of its size count.']
  return []
}

function timesText(answer: Brief): string[] {
  const { leave_times_local: times, outcome } = answer
  if (outcome !== 'recommended') return []
  const time = timeOn(firstDay(answer))
  const who = hasTravel(answer) ? 'Leave' : 'Be there'
  if (times.p99 !== null && times.p99 === times.p50) return [`${who} by ${time(times.p99)}: later is too late.`]
  const parts = (
    [
      ['to be 99 % sure', times.p99],
      ['to be 90 % sure', times.p90],
      ['for an even chance', times.p50],
    ] as const
  ).flatMap(([chance, at]) => (at ? [`by ${time(at)} ${chance}`] : []))
  return parts.length === 0 ? [] : [`${who} ${listText(parts)}.`]
}

function stepsText(answer: Brief): string[] {
  const { steps, deadlines, outcome, forecast } = answer
  if (outcome === 'missed') return []
  const time = timeOn(firstDay(answer))
  const lines = steps.map(({ step, begins_at_local, p50_minutes, p90_minutes, basis }) => {
    const slow = p90_minutes > p50_minutes ? ` (${p90_minutes} on one day in ten)` : ''
    const known =
      step === 'security' && forecast?.kind === 'usual' ? 'usual at that hour' : (BASIS_NAMES[basis] ?? basis)
    return `- ${time(begins_at_local)} ${STEP_NAMES[step] ?? step}: ${p50_minutes} min${slow}, ${known}`
  })
  const closings = deadlines.map(
    ({ deadline, at_local, basis }) =>
      `${DEADLINE_NAMES[deadline] ?? deadline} ${time(at_local)}${basis === 'assumed' ? ' (general rule)' : ''}`,
  )
  return closings.length === 0 ? lines : [...lines, `- Closing: ${closings.join('; ')}`]
}

const CHANGE_TEXTS: Record<string, string> = {
  carry_on_only: 'With carry-on only',
  online_check_in: 'Checked in online',
  precheck: 'With PreCheck',
  eu_passport: 'With an EU or Schengen passport',
  flight_to_the_us: 'If the flight goes to the US',
}

function whatIfText({ what_if, outcome }: Brief): string[] {
  if (outcome === 'missed') return []
  return what_if.flatMap(({ change, minutes_later, probability }) => {
    if (change === 'leave_20_minutes_earlier') return [`Leaving 20 min earlier: ${percent(probability)}.`]
    const who = CHANGE_TEXTS[change] ?? change
    if (outcome !== 'recommended' || minutes_later === null)
      return probability < 0.01 ? [] : [`${who}: ${percent(probability)}.`]
    if (minutes_later === 0) return []
    return [`${who}: leave ${Math.abs(minutes_later)} min ${minutes_later > 0 ? 'later' : 'earlier'}.`]
  })
}

function answerText(answer: Brief, whole: Brief): string {
  const notes = [...whatIfText(answer)]
  if (answer.recommended && !hasTravel(answer)) notes.push('Your way there is not counted: give travel_minutes.')
  return [
    [firstSentence(whole), ...riskText(answer), ...timesText(answer)].join(' '),
    ...stepsText(answer),
    ...(notes.length > 0 ? [notes.join(' ')] : []),
    ...(answer.assumed.length > 0 ? [`Assumed: ${answer.assumed.join('; ')}.`] : []),
  ].join('\n')
}

/** A plan of a departure in a traveller's words, for pages: the same sentences as the tool's. */
export function departureWords(answer: LeaveBy) {
  const brief: Brief = output.parse(briefOf(answer))
  const bare = (lines: string[]) => lines.map((line) => line.replace(/^- /, ''))
  return {
    lead: firstSentence(brief),
    risk: [...riskText(brief), ...timesText(brief)],
    steps: bare(stepsText(brief)),
    changes: whatIfText(brief),
    counts_travel: hasTravel(brief),
  }
}

export const getBestTimeToFlyTool = defineTool<LeaveBy, Brief>({
  name: 'get_best_time_to_fly',
  title: 'When to leave for a flight',
  description:
    'When to leave for a flight, from the door to the gate, with the probability of catching it, the main risk and what would help. Counts travel_minutes, bag drop, security, preclearance, passport control, EES, the walk. Parameters in minutes replace assumptions. Reaches 366 days: forecast (24 hours; Enterprise 7 days), then the usual pattern. Delays of the flight are not counted.',
  annotations: READ_ONLY,
  example: { iata: 'JFK', departure: '2026-11-22T17:30', destination: 'ZRH', bags: true, travel_minutes: 45 },
  query: getLeaveBy,
  brief: { output, of: briefOf },
  picture: { view: departureView, extra: curveOfLeaving },
  limits: { assumed: 5, what_if: 5 },
  text: answerText,
})
