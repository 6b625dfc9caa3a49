import { escaped } from '../../site/pages/html.ts'
import type { InvoiceRow } from '../../state/tables.ts'
import { amount } from './amounts.ts'
import { day, line, lines, section } from './parts.ts'

/** The invoices, newest first; nothing where none can ever come. */
export function invoicesSection(invoices: InvoiceRow[], sold: boolean): string {
  if (invoices.length === 0 && !sold) return ''
  return section('invoices', 'Invoices', invoices.length === 0 ? '<p>None yet.</p>' : lines(invoices.map(invoiceLine)))
}

function invoiceLine({ number, issued_at, amount_cents, currency, status, hosted_url }: InvoiceRow): string {
  const name = escaped(number ?? 'Not numbered yet')
  // Nothing but an https address becomes a link, whoever wrote it.
  const link = hosted_url?.startsWith('https://')
    ? ` <a class="button second small" href="${escaped(hosted_url)}" rel="noreferrer" aria-label="View invoice ${name} at Stripe">View</a>`
    : ''
  const sum = `<b class="number">${escaped(amount(amount_cents, currency))}</b>`
  return line(name, `${day(issued_at)}, ${escaped(status)}`, `<span class="sum">${sum}${link}</span>`)
}
