import type { ComponentChildren } from 'preact'
import type { Addresses } from '../../config/addresses.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { dayText, LinkButton, Listing } from '../../site/pages/elements.tsx'
import { Form } from '../../site/pages/frame.tsx'
import { requireSignIn } from '../people/signed-in.ts'

/** Route options of every dashboard page: only for people who are signed in. */
export const OWNER_ONLY = { onRequest: requireSignIn }

const DOLLARS = new Intl.NumberFormat('en', { minimumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' })

/** An amount in cents as the plans write it: 99 USD, 1.50 USD. */
export const dollars = (cents: number): string => `${DOLLARS.format(cents / 100)} USD`

/** The day of an instant; the attribute keeps the exact value. */
export const Day = ({ date }: { date: string }) => <time datetime={date}>{dayText(date)}</time>

/** A name that a person or client chose. It has its own direction of writing. */
export const ChosenName = ({ name }: { name: string }) => <bdi>{name}</bdi>

/** A list of entries with a name, a description and an action each. */
export const Lines = ({ children }: { children: ComponentChildren }) => <ul class="lines">{children}</ul>

interface LineProps {
  name: ComponentChildren
  about: ComponentChildren
  action?: ComponentChildren
}

export const Line = ({ name, about, action }: LineProps) => (
  <li>
    <div>
      <strong>{name}</strong> <span class="about">{about}</span>
    </div>
    {action}
  </li>
)

interface ConfirmationProps {
  /** The path that the confirmation is posted to. */
  action: string
  what: ComponentChildren
  consequence: string
  button: string
}

/** Asks for confirmation before an action that cannot be undone. */
export const Confirmation = ({ action, what, consequence, button }: ConfirmationProps) => (
  <>
    <p class="what">{what}</p>
    <p>{consequence}</p>
    <Form action={action}>
      <button class="danger">{button}</button> <LinkButton href="/dashboard" text="Cancel" isSecond />
    </Form>
  </>
)

/** How to make a first call, with a placeholder for the key, and where to read on. */
export function FirstSteps({ addresses: { base_url, mcp_url }, tier }: { addresses: Addresses; tier: Tier }) {
  const operation = tier === 'free' ? 'delays' : 'wait-times'
  const command = `curl -H "Authorization: Bearer YOUR_KEY" ${base_url}/airports/JFK/${operation}`
  return (
    <>
      <p>
        Call the REST API with your key in place of <code>YOUR_KEY</code>:
      </p>
      <Listing label="Command of a first call" text={command} />
      <ul>
        <li>
          MCP clients connect to <code>{mcp_url}/mcp</code> with the same key as a bearer token, or with your consent.
        </li>
        <li>
          Operations, parameters and answers: <a href="/openapi.json">OpenAPI 3.1</a>.
        </li>
        <li>
          Get a message when a wait crosses a threshold: <a href="/alerts">Alerts</a>.
        </li>
      </ul>
    </>
  )
}
