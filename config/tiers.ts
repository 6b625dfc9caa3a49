import { z } from 'zod'
import { editedTable } from './project-text.ts'
import { Tier } from './vocabulary.ts'

const count = z.int().min(0)

const TierTerms = z.strictObject({
  name: z.string().min(1),
  price_usd_per_month: z.number().min(0),
  requests_per_minute: count,
  calls_per_month: count,
  /** USD per 1,000 calls beyond the monthly quota; null: further calls are rejected. */
  overage_usd_per_1000: z.number().min(0).nullable(),
  prediction_hours: count,
  history_days: count,
  granularity: z.enum(['none', 'airport', 'terminal']),
  bulk_airports: count,
  max_keys: count,
  features: z.array(z.string()),
})
export type TierTerms = z.infer<typeof TierTerms>

/** Every limit, price and feature of a tier. These numbers stand in config/tiers.json alone; `holdshort doctor` compares the prices with those at Stripe. */
export const TIERS: Record<Tier, TierTerms> = editedTable('config/tiers.json', z.record(Tier, TierTerms))

const grouped = (count: number) => count.toLocaleString('en-US')

const NOTHING = 'no'

/** The rule of tiers as a table: what each row is about, its paths below /api/v1, and its text for a tier. */
const TIER_ROWS: { label: string; paths: string[]; text: (terms: TierTerms) => string }[] = [
  {
    label: 'Airports, delays, when to leave, busy days, coverage, record of forecasts',
    paths: ['/airports', '…/delays', '…/leave-by', '…/busy-days', '/coverage', '/accuracy'],
    text: () => 'yes',
  },
  {
    label: 'Current waits',
    paths: ['…/wait-times', '…/acris'],
    text: ({ granularity }) =>
      ({ none: 'one figure over MCP', airport: 'one figure an airport', terminal: 'terminals, checkpoints, lanes' })[
        granularity
      ],
  },
  {
    label: 'Predictions',
    paths: ['…/predictions', '…/immigration'],
    text: ({ prediction_hours: hours }) => {
      if (hours === 0) return NOTHING
      return hours > 48 ? `${hours / 24} days, terminals` : `${hours} hours`
    },
  },
  {
    label: 'History',
    paths: ['…/historical'],
    text: ({ history_days: days, granularity }) =>
      days === 0 ? NOTHING : `${days} days${granularity === 'terminal' ? ', terminals' : ''}`,
  },
  {
    label: 'Many airports in one request',
    paths: ['/airports/bulk'],
    text: ({ bulk_airports: count }) => (count === 0 ? NOTHING : `up to ${count}`),
  },
  {
    label: 'Requests a minute',
    paths: [],
    text: ({ requests_per_minute }) => grouped(requests_per_minute),
  },
  { label: 'Calls a month', paths: [], text: ({ calls_per_month }) => grouped(calls_per_month) },
  {
    label: 'Further calls',
    paths: [],
    text: ({ overage_usd_per_1000: price }) => (price === null ? 'refused' : `${price} USD per 1,000`),
  },
  { label: 'Keys', paths: [], text: ({ max_keys }) => (max_keys === 1 ? '1' : `up to ${max_keys}`) },
  {
    label: 'Price a month',
    paths: [],
    text: ({ price_usd_per_month: price }) => (price === 0 ? 'free' : `${price} USD`),
  },
]

/** The table of tiers, which README, /plans and /docs/tiers show: each row with its text for every tier. */
export const tierTable = () =>
  TIER_ROWS.map(({ label, paths, text }) => ({
    label,
    paths,
    cells: Object.fromEntries(Object.entries(TIERS).map(([tier, terms]) => [tier, text(terms)])) as Record<
      Tier,
      string
    >,
  }))

/** A tier's part of a route that it may not call, as in the table: `one figure over MCP`; null: nothing. */
export function partOfTier(path: string, tier: Tier): string | null {
  const row = TIER_ROWS.find(({ paths }) => paths.some((suffix) => path.endsWith(suffix.replace('…', ''))))
  const text = row?.text(TIERS[tier]) ?? NOTHING
  return text === NOTHING ? null : text
}

/** The price of a tier and the calls that it includes, for documents that show plans. */
export function tierPrice(tier: Tier) {
  const { price_usd_per_month, calls_per_month, requests_per_minute, overage_usd_per_1000 } = TIERS[tier]
  return { price_usd_per_month, calls_per_month, requests_per_minute, overage_usd_per_1000 }
}

const RANK: Record<Tier, number> = { free: 0, pro: 1, enterprise: 2 }

/** Whether `tier` includes everything `required` includes. */
export function tierCovers(tier: Tier, required: Tier): boolean {
  return RANK[tier] >= RANK[required]
}
