import { queuesOf } from '../catalogue/index.ts'
import type { PublishedState } from '../model/queues.ts'
import { escapeHtml, expectedReadings, html, json, type Posting, postingsOf, type Site, text } from './site.ts'

/** ATL: the page lists the checkpoints; its script adds the numbers. */
export const atl: Site = {
  hosts: ['www.atl.com'],
  answer: ({ path }, context) => {
    if (path === '/times/') return html(page())
    if (path === '/times/waits.js') return text(SCRIPT, 200, 'application/javascript')
    if (path === '/times/waits.json') {
      const postings = postingsOf('atl-html', context)
      return { ...json(waits(postings)), expected: expectedReadings(postings, null) }
    }
    return null
  },
}

const columnOf = (terminal: string) => (terminal === 'Domestic' ? 'nesclasser2' : 'nesclasser1')

function page(): string {
  const column = (terminal: string) => {
    const rows = queuesOf('atl-html')
      .filter((queue) => queue.terminal === terminal)
      .map(({ id, checkpoint, lane }) => {
        const heading = lane === 'precheck' ? 'PRECHECK ONLY CHECKPOINT' : 'CHECKPOINT'
        return `<div class="row" data-queue="${escapeHtml(id)}"><div class="col-lg-8"><h2>${escapeHtml(checkpoint)}</h2><h3>${heading}</h3></div><div class="col-lg-4 declasser3"></div></div>`
      })
    return `<div class="col-sm-6 ${columnOf(terminal)}" id="${columnOf(terminal)}"><h1>${terminal.toUpperCase()}</h1>${rows.join('\n')}</div>`
  }
  return `<!doctype html><html lang="en"><head><title>Security Wait Times</title></head><body>
<div class="row">${column('Domestic')}${column('International')}</div>
<script src="waits.js"></script></body></html>`
}

function waits(postings: Posting[]): Record<string, string> {
  return Object.fromEntries(postings.map(({ queue, published }) => [queue.id, waitText(published)]))
}

function waitText(published: PublishedState): string {
  if (published.state === 'open') return String(published.minutes)
  return published.state === 'closed' ? 'X' : '-'
}

const SCRIPT = `setTimeout(function () {
  fetch('waits.json').then(function (answer) { return answer.json() }).then(function (waits) {
    document.querySelectorAll('[data-queue]').forEach(function (row) {
      var button = document.createElement('button')
      var span = document.createElement('span')
      span.textContent = waits[row.dataset.queue]
      button.appendChild(span)
      button.appendChild(document.createTextNode(' MINUTES'))
      row.querySelector('.declasser3').appendChild(button)
    })
  })
}, 150)
`
