import { ParseError } from '../../config/errors.ts'
import { type TextPiece, textPieces } from '../parsing/html.ts'
import type { NoticeReporter } from '../parsing/notices.ts'
import { minutesInRange, postedWait, type WaitColumns } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Pages whose waits are found by the words around them, because no class or id marks them. */

interface PhrasePage {
  id: string
  /** Matches the piece of text that holds the phrase. Its group 1 is the wait, where the same piece holds it. */
  phrase: RegExp
  words: string
  /** Position of the wait if the piece of the phrase does not hold it: the piece before or after. */
  neighbour: -1 | 1
  readWait: (posted: string, report: NoticeReporter) => WaitColumns
}

/** A page with one wait for the whole airport beside a phrase. */
function phrasePage({ id, phrase, words, neighbour, readWait }: PhrasePage) {
  return waitCollector({
    id,
    request: pageRequest,
    read: (payload) => {
      const pieces = textPieces(payload.body)
      const index = pieces.findIndex(({ text }) => phrase.test(text))
      if (index === -1) throw new ParseError('p', `the page has no "${words}"`)
      const posted = pieces[index]?.text.match(phrase)?.[1] || (pieces[index + neighbour]?.text ?? '')
      return [{ ...payload.unknownReading, ...readWait(posted, payload.report.at(words)) }]
    },
  })
}

/** Brussels: "7 min." before the words "Current waiting time" (seen 2026-04). */
export const bruHtml = phrasePage({
  id: 'bru-html',
  phrase: /^(.*?)\s*Current waiting time\b/i,
  words: 'Current waiting time',
  neighbour: -1,
  readWait: (posted, report) => postedWait(posted.replace(/\.$/, ''), report),
})

/** Columbus: an estimate in a sentence, "7 minutes, 30 seconds"; the widget is tsawaittimes.com's (seen 2026-03). */
export const cmhHtml = phrasePage({
  id: 'cmh-html',
  phrase: /anticipate waiting on average for:?\s*(.*)$/i,
  words: 'anticipate waiting on average for',
  neighbour: 1,
  readWait: spokenWait,
})

/** "7 minutes, 30 seconds" and "45 seconds" as minutes; any other text as all sources post it. */
function spokenWait(posted: string, report: NoticeReporter): WaitColumns {
  const match = posted.match(/^(?:(\d{1,3}) ?minutes?)?(?:,? ?(?:and ?)?(\d{1,2}) ?seconds?)\.?$/i)
  if (match === null) return postedWait(posted.replace(/\.$/, ''), report)
  const wait_minutes = minutesInRange(Number(match[1] ?? 0) + Number(match[2]) / 60, posted, report)
  return { wait_minutes, wait_minutes_low: null, wait_minutes_high: null, wait_text: posted, status: 'open' }
}

/** Nashville's front page: a heading "TSA Wait Times" and one wait for the whole airport under it (seen to 2026-08). */
export const bnaHtml = waitCollector({
  id: 'bna-html',
  request: pageRequest,
  read: (payload) => {
    const pieces = textPieces(payload.body)
    const heading = pieces.findIndex(({ text }) => /^tsa wait times?:?$/i.test(text))
    if (heading === -1) throw new ParseError('h3', 'the page has no heading "TSA Wait Times"')
    const next = pieces.slice(heading + 1).find(({ tag }) => /^h[1-4]$/.test(tag))
    // Another heading of the same rank means that the block is there and empty.
    if (next?.tag !== 'h4') return []
    return [{ ...payload.unknownReading, ...postedWait(next.text, payload.report.at('h3+h4')) }]
  },
})

/** Rome Fiumicino: "Terminal 1:" followed by `<time>4 min</time>`, in the frame of every page of the site (seen 2026-04). */
export const fcoHtml = waitCollector({
  id: 'fco-html',
  request: pageRequest,
  read: (payload) => {
    const pieces = textPieces(payload.body)
    const labels = pieces.flatMap(({ text }, index): { terminal: string; next: TextPiece | undefined }[] => {
      const number = text.match(/\bTerminal\s*(\d+)\s*:$/i)?.[1]
      return number === undefined ? [] : [{ terminal: `T${number}`, next: pieces[index + 1] }]
    })
    if (labels.length === 0) throw new ParseError('Terminal N:', 'the page names no terminal')
    return labels.flatMap(({ terminal, next }) => {
      if (next?.tag !== 'time') return []
      const posted = postedWait(next.text, payload.report.at(`${terminal} time`))
      return [{ ...payload.unknownReading, terminal, ...posted }]
    })
  },
})
