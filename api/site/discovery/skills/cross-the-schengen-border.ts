import type { Skill } from './define.ts'

export const crossTheSchengenBorder: Skill = {
  name: 'cross-the-schengen-border',
  description:
    'Count days under the Schengen 90/180 rule and tell what is known of border queues (EES), with the tools of the Holdshort MCP server. Use it when someone plans a stay in the Schengen area, or asks how long they may stay or how long entry takes.',
  body: () => `# Cross the Schengen border

1. Ask first: every stay of the last 180 days with entry and exit, and whether the person holds a residence permit, a long-stay visa or a passport of a member
   state. The count is not for those.
2. Count: \`check_schengen_days\`. Days of entry and exit both count; leave \`exit\` out for a stay that goes on.

       {"trips":[{"entry":"2026-06-01","exit":"2026-07-15"}],"planned":{"entry":"2026-12-20","days":20}}

   Leave \`days\` out to learn the longest stay. Give \`country\` for stays before a country came in: days count only from then on.
3. Say whether it is \`allowed\`, the \`last_allowed_day\`, and if it is not, \`first_entry_for_stay\`. \`overstay_days_total\` above 0 means that the rule was broken already: say so.
4. The queue: \`get_ees_wait_times\` for an airport, a country or the board; \`get_ees_forecast\` for the next 24 hours, entry and exit apart. Few airports are observed:
   where \`unavailable_reason\` stands, nothing is known, and a figure of another airport says nothing of this one.
5. When to leave for the flight then: \`get_best_time_to_fly\` with \`flight: "international"\`. The border queue is not in it: add what the forecast gives, and say that you did.

A border guard decides; this is no legal advice. MCP clients find this as the prompt check_schengen_stay.
`,
}
