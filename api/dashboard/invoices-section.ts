import { escaped, head, table } from '../site/html.ts'
import type { InvoiceRow } from '../state/tables/money.ts'
import { amount } from './amounts.ts'
import { day, section } from './parts.ts'

const HEADS = [head('Number'), head('Date'), head('Amount', 'number'), head('Status'), head('Page')]

/** The invoices, newest first; nothing where none can ever come. */
export function invoicesSection(invoices: InvoiceRow[], sold: boolean): string {
  if (invoices.length === 0 && !sold) return ''
  const none = '<p>None yet.</p>'
  return section('invoices', 'Invoices', invoices.length === 0 ? none : table('Invoices', HEADS, invoices.map(row)))
}

function row({ number, issued_at, amount_cents, currency, status, hosted_url }: InvoiceRow): string {
  const name = escaped(number ?? 'not numbered yet')
  // Nothing but an https address becomes a link, whoever wrote it.
  const link = hosted_url?.startsWith('https://')
    ? `<a href="${escaped(hosted_url)}" rel="noreferrer" aria-label="View invoice ${name} at Stripe">View</a>`
    : ''
  return `<tr><th scope="row">${name}</th><td>${day(issued_at)}</td><td class="number">${escaped(amount(amount_cents, currency))}</td><td>${escaped(status)}</td><td>${link}</td></tr>`
}
