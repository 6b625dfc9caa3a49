import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { usClock } from '../parsing/clocks.ts'
import { textIn } from '../parsing/html.ts'
import { htmlCollector } from '../parsing/html-collector.ts'
import { textOf } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { postedWait } from '../parsing/posted-waits.ts'

/** Pages of one airport with an element for each queue, found by its class. */

/** Charleston: a card per checkpoint, headed by its name or by its lane. The hourly forecast beside it is not read (seen 2026-03). */
export const chsHtml = htmlCollector({
  id: 'chs-html',
  elements: '.chs-tsa-checkpoint-card',
  read: ($, payload) => (card, report) => {
    const heading = textIn($, card, 'h3')
    if (heading === '') return null
    // "TSA Pre✔® Checkpoint" is a lane. "Central Checkpoint" is a place and names no lane.
    const isPrecheck = /\btsa pre/i.test(heading)
    const lane = isPrecheck ? 'precheck' : laneOfWord(heading.replace(/\b(checkpoint|lanes?)\b/gi, ''))
    return {
      ...payload.unknownReading,
      checkpoint: lane === null ? heading : '',
      lane: lane ?? 'all',
      ...postedWait(textIn($, card, '.chs-tsa-wait-time'), report),
    }
  },
})

const JAX_LABEL = 'div.label'
const JAX_UPDATED = /\bas of:?\s+(.{0,60}?\d\s*[ap]\.?m\b)/i

/** Jacksonville's page: a label and a bold estimate per lane, "less than a min" or "7 min" (seen 2026-05 to 2026-08). */
export const jaxHtml = htmlCollector({
  id: 'jax-html',
  elements: JAX_LABEL,
  read: ($, payload) => {
    const updated = textOf($.root().text()).match(JAX_UPDATED)?.[1]
    const observation = payload.observedAt(updated, usClock, payload.report.at('as of'))
    return (label, report) => {
      const lane = knownLane(textOf($(label).text()), report)
      if (lane === null) return null
      const wait = textOf($(label).nextUntil(JAX_LABEL).filter('div.time').find('span.bold').first().text())
      return { ...payload.unknownReading, lane, ...observation, ...postedWait(wait, report) }
    }
  },
})

const MSP_UPDATED = '.security-wait-times-block__timestamp'

/** A closed checkpoint's message states its opening. */
const closedText = (message: string) => (/^opens\b/i.test(message) ? message : 'Closed')

/**
 * Minneapolis: a card per checkpoint, whose message says for whom it is (seen to 2026-08). Before a checkpoint opens its
 * card keeps last night's wait under a new page time; only the check for frozen values finds that.
 */
export const mspHtml = htmlCollector({
  id: 'msp-html',
  elements: '.security-wait-time__checkpoint-name',
  frame: MSP_UPDATED,
  read: ($, payload) => {
    const updated = textOf($(MSP_UPDATED).first().text())
    const observation = payload.observedAt(updated, usClock, payload.report.at(MSP_UPDATED))
    return (name, report) => {
      const checkpoint = textOf($(name).text())
      const card = $(name).closest('.security-wait-time')
      const message = textOf(card.find('.security-wait-time__message').first().text())
      const posted = textOf(card.find('.security-wait-time__time').first().text())
      const isClosed = card.hasClass('security-wait-time--closed') || /^(closed|opens)\b/i.test(message)
      const lane = isClosed || message === '' ? 'all' : knownLane(message, report)
      if (lane === null) return null
      return {
        ...payload.unknownReading,
        terminal: checkpoint.match(/^T\d\b/)?.[0] ?? '',
        checkpoint,
        lane,
        ...observation,
        ...postedWait(isClosed ? closedText(message) : posted, report),
      }
    }
  },
})

/** Omaha: a list of concourses, each with a range of minutes ("5-10") and never a number (seen to 2026-08). */
export const omaHtml = htmlCollector({
  id: 'oma-html',
  elements: 'li.tsa-wait-times-element_concourse-list_concourse-info',
  frame: '.tsa-wait-times-element',
  read: ($, payload) => (row, report) => {
    const field = (name: string) => textIn($, row, `[class$="concourse-info_${name}"]`)
    const checkpoint = field('title').replace(/\s*:$/, '')
    return checkpoint === '' ? null : { ...payload.unknownReading, checkpoint, ...postedWait(field('time'), report) }
  },
})

/** Stuttgart: a fragment with a line per terminal, "T1:" and minutes; a class says that it is closed (seen 2026-04). */
export const strHtml = htmlCollector({
  id: 'str-html',
  elements: '.waiting-times__terminal--short',
  frame: '[class*="waiting-times"]',
  read: ($, payload) => {
    // A fragment has no end tag of the document that shows that it is complete, but its lines have end tags.
    if (countOf(payload.body, /<li\b/gi) !== countOf(payload.body, /<\/li\b/gi))
      throw new ParseError('li', 'the fragment breaks off')
    return (label, report) => {
      const terminal = textOf($(label).text()).replace(/\s*:$/, '')
      if (terminal === '') return null
      const minutes = $(label).closest('li').find('.waiting-times__minutes').first()
      const posted = minutes.hasClass('waiting-times__minutes--closed') ? 'Closed' : textOf(minutes.text())
      return { ...payload.unknownReading, terminal, ...postedWait(posted, report) }
    }
  },
})

const countOf = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0
