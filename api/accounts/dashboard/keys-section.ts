import { TIERS } from '../../../config/tiers.ts'
import { escaped } from '../../site/pages/html.ts'
import { LONGEST_NAME } from './key-form.ts'
import type { OwnKey } from './own-keys.ts'
import { day, line, lines, named, section } from './parts.ts'
import type { Overview } from './read.ts'

/** Revoked keys that are still listed. */
const NEWEST_REVOKED = 20

/** A form that came back: what was typed, and what is wrong with it. */
export interface NameFault {
  name: string
  fault: string
}

export const nameOf = ({ name }: OwnKey) => (name === null ? 'Unnamed' : named(name))
export const keyInBrief = ({ prefix, last_four }: OwnKey) => `<code>${escaped(prefix)}…${escaped(last_four)}</code>`

/** The keys, and a form to issue one. `issueForm` makes a form of its inside. */
export function keysSection(
  { account, keys }: Overview,
  issueForm: (inside: string) => string,
  wrong: NameFault | null,
): string {
  const { max_keys, name } = TIERS[account.tier]
  const live = keys.filter(({ revoked_at }) => revoked_at === null)
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null)
  const none = '<p>No key yet. Programs send one with each call.</p>'
  // More than the plan has, after a step down.
  const excess = live.length - max_keys + 1
  const full = `<p>The ${name} plan has ${max_keys === 1 ? 'one key' : `up to ${max_keys} keys`}. Revoke ${excess === 1 ? 'one' : excess} to issue another.</p>`
  return section(
    'keys',
    `Keys <span class="tally-of">${live.length} of ${max_keys} in use</span>`,
    [
      live.length === 0 ? none : lines(live.map(liveLine)),
      live.length >= max_keys ? full : issueForm(nameField(wrong)),
      revoked.length === 0 ? '' : revokedKeys(revoked),
    ].join('\n'),
  )
}

const liveLine = (key: OwnKey) =>
  line(
    nameOf(key),
    `${keyInBrief(key)} active, created ${day(key.created_at)}`,
    `<a class="button danger small" href="/dashboard/keys/${escaped(key.id)}/revoke" aria-label="Revoke key ${escaped(key.name ?? 'Unnamed')}">Revoke</a>`,
  )

function revokedKeys(keys: OwnKey[]): string {
  const newest = keys.toSorted((a, b) => (a.revoked_at! < b.revoked_at! ? 1 : -1)).slice(0, NEWEST_REVOKED)
  const all = newest.map((key) =>
    line(nameOf(key), `${keyInBrief(key)} created ${day(key.created_at)}, revoked ${day(key.revoked_at!)}`),
  )
  const more = keys.length > newest.length ? `, the last ${newest.length} of them listed` : ''
  return `<details><summary>${keys.length} revoked${more}</summary>${lines(all)}</details>`
}

function nameField(wrong: NameFault | null): string {
  const fault = wrong ? `\n<p class="fault" id="name-fault">${escaped(wrong.fault)}</p>` : ''
  const state = wrong ? ' aria-invalid="true" autofocus' : ''
  const described = wrong ? 'name-fault name-hint' : 'name-hint'
  return `<label for="name">Name of a new key</label>
<p class="hint" id="name-hint">For you to know it by: up to ${LONGEST_NAME} characters.</p>${fault}
<div class="beside"><input id="name" name="name" required maxlength="${LONGEST_NAME}" autocomplete="off" value="${escaped(wrong?.name ?? '')}" aria-describedby="${described}"${state}><button>Issue key</button></div>`
}
