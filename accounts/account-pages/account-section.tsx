import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Actor } from '../../api/state/actor.ts'
import { addresses } from '../../config/addresses.ts'
import type { FieldFaults } from '../../site/pages/fields.tsx'
import type { Visitor } from '../../site/pages/visitor.ts'
import type { AccountDependencies } from '../dependencies.ts'
import type { SignInOrigin } from '../people/authenticate.ts'
import { type RelyingParty, relyingParty } from '../people/passkeys.ts'

/** Shared context of all account pages. */
export interface AccountContext {
  dependencies: AccountDependencies
  site_url: string
  /** Null if this site cannot have passkeys. */
  party: RelyingParty | null
  now: () => number
}

/** Builds the context of the account pages. */
export function accountContext(dependencies: AccountDependencies): AccountContext {
  const { site_url } = addresses(dependencies.settings)
  return { dependencies, site_url, party: relyingParty(site_url), now: dependencies.clock ?? Date.now }
}

/** One section of the account page, with the forms in it. */
export interface AccountSection {
  id: string
  title: string
  render: (view: SectionView) => ComponentChildren | Promise<ComponentChildren>
  actions: SectionAction[]
}

export interface SectionView {
  context: AccountContext
  visitor: Visitor
  /** Faults of the section's fields, if one of its forms was refused. */
  faults: FieldFaults
}

/** An answer to a form other than the account page. */
export type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** One form of a section. After the action the account page is shown again, with what was done or what was wrong. */
export interface SectionAction {
  /** The path that the form is posted to. */
  path: string
  fields: string[]
  /** The field of the password that confirms the identity: it shows that this is wrong. */
  proofField?: string
  /** The sentence shown when it is done. */
  done: string
  /** @throws HoldshortError for what the form shows as its fault. */
  run: (input: ActionInput) => Promise<Answer> | Promise<void>
}

export interface ActionInput {
  context: AccountContext
  visitor: Visitor
  posted: Record<string, string>
  by: Actor
  from: SignInOrigin
}

interface PasskeyButtonProps {
  context: AccountContext
  kind: 'new' | 'use'
  text: string
}

/** A button that makes or uses a passkey and sends its form. Its script shows it where the browser supports passkeys. */
export function PasskeyButton({ context, kind, text }: PasskeyButtonProps) {
  if (!context.party) return null
  return (
    <>
      <input type="hidden" name="credential" />{' '}
      <button type="button" class="second" data-passkey={kind} hidden>
        {text}
      </button>
      <p class="fault" role="alert" data-passkey-fault="" />
    </>
  )
}

/** Why a visitor needs an account, by the page that sent them here. */
const PURPOSES: readonly { page: RegExp; text: string }[] = [
  {
    page: /^\/alerts(?:$|[/?])/,
    text: 'An alert is a push message to your browser when the security wait of an airport rises above or falls below the minutes that you choose. It is free, and needs an account.',
  },
  {
    page: /^\/connect-mcp\?/,
    text: 'An app asks to read airport data as you. Once you are signed in you see which app, and approve or deny it.',
  },
]

/** Explains an account to a visitor whom the page `next` sent here. */
export const Purpose = ({ next }: { next: string }) => {
  const purpose = PURPOSES.find(({ page }) => page.test(next))
  return purpose ? <p class="lead">{purpose.text}</p> : null
}
