import { type Evidence, evidence } from './evidence.ts'

/** A status that opens what another one does: a higher tier of an alliance, or that of an airline's programme. */
interface AllianceStatus extends Evidence {
  /** The spelling of travellers, within a longer text too. */
  status: string
  /** The spelling of lounge rules. */
  includes: string
}

const ONEWORLD = evidence(
  'https://executivetraveller.com/frequent-flyer-basics-oneworld-frequent-flyer-tiers-benefits',
  null,
)
const NAMES = evidence('https://www.australianfrequentflyer.com.au/community/goto/post?id=2714725', null)
const STAR = evidence('https://bookmybusinessclass.com/glossary/star-alliance-gold', '2026-05-07')

/** The programmes of US airlines are left out: their own status opens no lounge on domestic flights. */
export const ALLIANCE_STATUS: readonly AllianceStatus[] = [
  { status: 'oneworld Emerald', includes: 'oneworld Sapphire', ...ONEWORLD },
  { status: 'Qantas Gold', includes: 'oneworld Sapphire', ...ONEWORLD },
  { status: 'Qantas Platinum', includes: 'oneworld Emerald', ...ONEWORLD },
  { status: 'BA Gold', includes: 'oneworld Emerald', ...NAMES },
  { status: 'British Airways Gold', includes: 'oneworld Emerald', ...NAMES },
  { status: 'Lufthansa Senator', includes: 'Star Alliance Gold', ...STAR },
  { status: 'KrisFlyer Gold', includes: 'Star Alliance Gold', ...STAR },
]

const MEMBERS = evidence('https://airmilescalc.com/learn/airline-alliances', null)

/** The alliances, with those of their members (as lounges name their operators) whose lounges state no access rules. */
export const ALLIANCES: readonly (Evidence & { alliance: string; operators: readonly string[] })[] = [
  {
    alliance: 'Star Alliance',
    operators: [
      'Air Canada',
      'ANA',
      'Austrian Airlines',
      'Lufthansa',
      'Singapore Airlines',
      'Turkish Airlines',
      'United',
    ],
    ...MEMBERS,
  },
  {
    alliance: 'oneworld',
    operators: ['British Airways', 'Cathay Pacific', 'Japan Airlines', 'Qantas'],
    ...MEMBERS,
  },
  {
    alliance: 'SkyTeam',
    operators: ['Aeromexico', 'Air France', 'Delta', 'Korean Air'],
    ...MEMBERS,
  },
]
