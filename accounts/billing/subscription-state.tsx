import type { SubscriptionRow } from '../../api/state/tables.ts'
import { Moment } from '../../site/pages/elements.tsx'

/** Advice on a subscription that is not in order, by its Stripe status. */
const SUBSCRIPTION_WARNINGS: Record<string, string> = {
  past_due:
    'The last payment failed. Your plan continues while the payment is tried again; please settle it in the billing portal.',
  unpaid:
    'The last payment failed for good. Pay the open invoice in the billing portal to get your plan and keys back.',
  incomplete: 'The first payment has not gone through. Complete it in the billing portal.',
  paused: 'Your subscription is paused. You can resume it in the billing portal.',
}

interface SubscriptionStateProps {
  subscription: Pick<SubscriptionRow, 'status' | 'cancel_at_period_end' | 'current_period_end'>
}

/** The state of a subscription for its owner: advice when it is not in order, and its end. */
export function SubscriptionState({
  subscription: { status, cancel_at_period_end, current_period_end: end },
}: SubscriptionStateProps) {
  const warning = SUBSCRIPTION_WARNINGS[status]
  return (
    <>
      {warning && <p class="warning">{warning}</p>}
      {cancel_at_period_end === 1 && end !== null && (
        <p>
          Your subscription is cancelled and ends on <Moment instant={end} />.
        </p>
      )}
    </>
  )
}
