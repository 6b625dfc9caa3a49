import { quoted } from '../../config/untrusted-text.ts'
import { type ReportedPlace, reportedPlaceText } from './crowd-reports-text.ts'

/** The outcome of a traveller's report, as texts. */

const MAX_NAMED_TERMINALS = 12

/** Text for a report whose terminal the airport does not have, with the known ones. */
export function unknownTerminalText(iata: string, known: readonly string[]): string {
  const stored = `The report is stored but held: no terminal of ${iata} is known by that name, so it is not used and nobody else sees it.`
  if (known.length === 0) return `${stored} No terminal of ${iata} is known here: file it again without a terminal.`
  const names = known.slice(0, MAX_NAMED_TERMINALS).map(quoted)
  const more = known.length > names.length ? ', …' : ''
  return `${stored} File it again with one of ${names.join(', ')}${more}, or without a terminal.`
}

interface Filed {
  status: string
  /** Why it is held, and how many other travellers must agree for it to count; null if it is not. */
  held: { reason: string; others_needed: number } | null
  /** The person's own earlier reports that it replaces. */
  replaced: number
  agreeing: number
}

/** Whether a report counts, and what it takes. */
export function filedText({ status, held, replaced, agreeing }: Filed): string {
  const replacedText = replaced > 0 ? ' It replaces your report of this lane within the last ten minutes.' : ''
  if (held !== null) {
    const agree =
      held.others_needed === 1
        ? 'another traveller on another network reports'
        : `${held.others_needed} other travellers on other networks report`
    return `The report is stored but held: ${held.reason}. It counts as soon as ${agree} a similar wait within half an hour; accounts younger than a day confirm nothing.${replacedText}`
  }
  const verb = agreeing === 1 ? 'traveller agrees' : 'travellers agree'
  const agreeingText = agreeing > 0 ? ` ${agreeing} other ${verb}.` : ''
  const superseded =
    status === 'superseded'
      ? ' The figure counts one report of each traveller and network, and those of older accounts first: another one counts in its place.'
      : ''
  return `Thank you; the report is accepted.${replacedText}${agreeingText}${superseded}`
}

/** A report read back: its place, its wait, and what became of it. */
export const reportReceiptText = ({
  airport,
  wait_minutes,
  message,
  ...place
}: ReportedPlace & { airport: string; wait_minutes: number; message: string }): string =>
  `${airport} ${reportedPlaceText(place)}: ${wait_minutes} min as reported. ${message}`
