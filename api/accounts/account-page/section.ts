import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FieldFaults } from '../../site/pages/field.ts'
import type { Visitor } from '../../site/pages/visitor.ts'
import type { Actor } from '../../state/actor.ts'
import type { From } from '../people/authenticate.ts'
import type { AccountSite } from './site.ts'

/** One part of the account page. */
export interface AccountSection {
  id: string
  title: string
  html: (view: SectionView) => string | Promise<string>
  actions: SectionAction[]
}

export interface SectionView {
  request: FastifyRequest
  reply: FastifyReply
  site: AccountSite
  visitor: Visitor
  /** What is wrong with its fields, if a form of this section was refused. */
  faults: FieldFaults
}

/** An answer to a form other than the account page. */
export type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** What a form of a section does: posted to `path`, then the account page is shown again, with what was done or what was wrong. */
export interface SectionAction {
  path: string
  fields: string[]
  /** The field that an error is said at which names none. */
  blamed?: string
  /** What the owner reads when it is done. */
  done: string
  /** @throws HoldshortError for what the form shows as its fault. */
  run: (order: ActionOrder) => Promise<Answer> | Promise<void>
}

export interface ActionOrder {
  site: AccountSite
  visitor: Visitor
  posted: Record<string, string>
  by: Actor
  from: From
}
