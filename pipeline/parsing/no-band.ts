/** The columns of a source that publishes neither a band nor words. */
export const NO_BAND = { wait_minutes_low: null, wait_minutes_high: null, wait_text: null } as const
