/** Local times HH:MM between which nothing is sent, the second not included; both null for none. */
export interface QuietHours {
  quiet_from: string | null
  quiet_to: string | null
}

/** Whether a wall clock time (HH:MM) lies in the quiet hours, which may go over midnight. */
export function isQuiet({ quiet_from, quiet_to }: QuietHours, local_time: string): boolean {
  if (quiet_from === null || quiet_to === null) return false
  return quiet_from < quiet_to
    ? quiet_from <= local_time && local_time < quiet_to
    : quiet_from <= local_time || local_time < quiet_to
}
