/**
 * Calls of a month that are billed beyond the plan's: those above what is included, and never fewer than Stripe was told
 * of. Included is what the highest plan of the month includes, so that stepping down bills no call made before.
 */
export function overageCalls(
  calls: number,
  { included_calls, calls: told }: { included_calls: number; calls: number },
) {
  return Math.max(told, calls - included_calls)
}
