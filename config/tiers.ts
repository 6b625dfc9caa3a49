import type { Tier } from './domain.ts'

/** Every limit, price and feature of a tier. These numbers are declared only here. */
export interface TierTerms {
  name: string
  price_usd_per_month: number
  requests_per_minute: number
  calls_per_month: number
  /** USD per 1,000 calls beyond the monthly quota; null: further calls are rejected. */
  overage_usd_per_1000: number | null
  prediction_hours: number
  history_days: number
  granularity: 'none' | 'airport' | 'terminal'
  bulk_airports: number
  max_keys: number
  features: string[]
}

const FREE_FEATURES = ['airports', 'delays', 'mcp_free_tools']
const PRO_FEATURES = [...FREE_FEATURES, 'wait_times', 'predictions_24h', 'history_7d', 'mcp_paid_tools']

export const TIERS: Record<Tier, TierTerms> = {
  free: {
    name: 'Free',
    price_usd_per_month: 0,
    requests_per_minute: 30,
    calls_per_month: 1_000,
    overage_usd_per_1000: null,
    prediction_hours: 0,
    history_days: 0,
    granularity: 'none',
    bulk_airports: 0,
    max_keys: 1,
    features: FREE_FEATURES,
  },
  pro: {
    name: 'Pro',
    price_usd_per_month: 99,
    requests_per_minute: 300,
    calls_per_month: 5_000,
    overage_usd_per_1000: 3,
    prediction_hours: 24,
    history_days: 7,
    granularity: 'airport',
    bulk_airports: 0,
    max_keys: 5,
    features: PRO_FEATURES,
  },
  enterprise: {
    name: 'Enterprise',
    price_usd_per_month: 499,
    requests_per_minute: 1_000,
    calls_per_month: 100_000,
    overage_usd_per_1000: 1,
    prediction_hours: 168,
    history_days: 90,
    granularity: 'terminal',
    bulk_airports: 50,
    max_keys: 50,
    features: [...PRO_FEATURES, 'predictions_7d', 'history_90d', 'terminals', 'bulk'],
  },
}

const grouped = (count: number) => count.toLocaleString('en-US')

/** The rule of tiers as a table: what each row is about, its paths below /api/v1, and its text for a tier. */
const TIER_ROWS: { label: string; paths: string[]; text: (terms: TierTerms) => string }[] = [
  {
    label: 'Airports, delays, when to leave, coverage, record of forecasts',
    paths: ['/airports', '…/delays', '…/leave-by', '/coverage', '/accuracy'],
    text: () => 'yes',
  },
  {
    label: 'Current waits',
    paths: ['…/wait-times'],
    text: ({ granularity }) =>
      ({ none: 'one figure (MCP)', airport: 'airport', terminal: 'terminals, checkpoints, lanes' })[granularity],
  },
  {
    label: 'Predictions',
    paths: ['…/predictions', '…/immigration'],
    text: ({ prediction_hours: hours }) =>
      hours === 0 ? 'no' : hours > 48 ? `${hours / 24} days, terminals` : `${hours} hours`,
  },
  {
    label: 'History',
    paths: ['…/historical'],
    text: ({ history_days: days, granularity }) =>
      days === 0 ? 'no' : `${days} days${granularity === 'terminal' ? ', terminals' : ''}`,
  },
  {
    label: 'Airports in one request',
    paths: ['/airports/bulk'],
    text: ({ bulk_airports: count }) => (count === 0 ? 'no' : `up to ${count}`),
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
