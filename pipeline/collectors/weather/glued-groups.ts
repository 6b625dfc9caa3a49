import { isGroup } from './groups.ts'

/** Heads of the change groups of a forecast, which stand before or behind other groups. */
const CHANGE = /^(?:BECMG|TEMPO|INTER|PROB\d{2}|FM\d{6}|FM\d{4}|\d{4}\/\d{4}|NOSIG|RMK)$/

const isPart = (text: string) => CHANGE.test(text) || isGroup(text)

/** Two numbers side by side may be cut in several ways, but for a time and the base of a cloud, whose lengths are known. */
const mayBeCut = (before: string, after: string) =>
  !/\d$/.test(before) || !/^\d/.test(after) || /^(?:FM\d{6}|\d{4}\/\d{4}|(?:FEW|SCT|BKN|OVC|VV)\d{3})$/.test(before)

/**
 * The groups of a token that has lost its spaces (`BECMG2506/2508`, `BKN023TX15/2506Z`): the longest first group whose rest is
 * made of groups too. Null when it is not made of groups.
 */
function partsOf(token: string): string[] | null {
  if (isPart(token)) return [token]
  for (let end = token.length - 1; end >= 2; end--) {
    const first = token.slice(0, end)
    const rest = token.slice(end)
    if (!isPart(first) || !mayBeCut(first, rest)) continue
    const more = partsOf(rest)
    if (more) return [first, ...more]
  }
  return null
}

/** Longer tokens are text of another kind. */
const MAX_CHARACTERS = 60

/** The tokens of a report with those that were sent without their spaces cut into their groups. */
export const splitGlued = (tokens: readonly string[]): string[] =>
  tokens.flatMap((token) => (token.length > MAX_CHARACTERS ? [token] : (partsOf(token) ?? [token])))
