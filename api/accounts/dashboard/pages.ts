import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../../data/gate/admission.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { addClientPages } from './client-pages.ts'
import { dashboardPage } from './dashboard-page.ts'
import { addKeyPages } from './key-pages.ts'
import type { NameFault } from './keys-section.ts'
import { OWN_PAGE, owner } from './own-page.ts'
import { readOverview } from './read.ts'

interface Asked {
  month?: unknown
  done?: unknown
}

/** The dashboard of whoever is signed in: plan, keys, usage, connected clients, invoices. */
export function addDashboardPages(pages: FastifyInstance, dependencies: AccountDependencies, gate: Gate): void {
  const { settings, state, clock = Date.now } = dependencies

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { month, done }: Asked,
    wrong: NameFault | null = null,
  ) => {
    const overview = await readOverview(state, gate, owner(request), month, clock())
    const issueForm = (inside: string) => form(request, reply, '/dashboard/keys', inside)
    const body = dashboardPage(overview, settings, issueForm, { wrong, done })
    return sendPage(request, reply, { title: 'Dashboard', body, status: wrong ? 400 : 200 })
  }

  pages.get<{ Querystring: Asked }>('/dashboard', OWN_PAGE, (request, reply) => show(request, reply, request.query))
  addKeyPages(pages, dependencies, (request, reply, wrong) => show(request, reply, {}, wrong))
  addClientPages(pages, dependencies)
}
