import type { Skill } from './define.ts'

export const crossTheSchengenBorder: Skill = {
  name: 'cross-the-schengen-border',
  description:
    'Count days under the Schengen 90/180 rule and report border queues (EES), with the tools of the Holdshort MCP server. Use it when someone plans a stay in the Schengen area, or asks how long they may stay or how long entry takes.',
  body: () => `# Cross the Schengen border

1. Ask first for every stay of the last 180 days and every booked one, with entry and exit, and whether the person holds a residence permit, a long-stay visa or a passport of a member
   state. The count does not apply to them.
2. Count: \`check_schengen_days\`. The days of entry and exit both count. Omit \`exit\` for a stay that has not ended.

       {"trips":[{"entry":"2026-06-01","exit":"2026-07-15"}],"planned":{"entry":"2026-12-20","days":20}}

   Omit \`days\` to get the longest allowed stay. Give \`country\` for stays outside the area or before a country joined: days count only in the area.
3. Report \`advice\`: whether it is \`allowed\`, the \`last_allowed_day\`, and if it is not allowed, \`changes\` (how many days shorter, or the first entry for the same length; null: no date
   allows it). If \`first_overstay_day\` is before today, the rule was already broken: say so.
4. The queue: \`get_ees_wait_times\` for an airport, a country or all airports; \`get_ees_forecast\` for the next 24 hours, entry and exit separately. Few airports are observed:
   \`unavailable_reason\` means that nothing is known, and a figure of another airport does not apply to this one.
5. When to leave for the flight: \`get_best_time_to_fly\` with \`flight: "international"\`. It does not include the border queue: add what the forecast gives, and say that you did.

A border guard decides; this is no legal advice. MCP clients have this as the prompt check_schengen_stay.
`,
}
