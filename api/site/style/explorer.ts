/** The explorer of the open data. */
export const EXPLORER = `
.explore { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; max-width: none } .explore[hidden] { display: none } .explore label { flex: 1 1 9rem; margin: 0 } .explore button { margin: 0 }
.explored { width: 100%; height: auto; margin: .6rem 0; font-size: 12px } .explored text { fill: var(--quiet) } .explored-grid { stroke: var(--line) }
.explored-line { fill: none; stroke: var(--accent); stroke-width: 1.6 } .explored-band { fill: var(--band); stroke: none } .explored-dot { fill: var(--accent) }
details[id] { scroll-margin-top: 4rem } summary .about { display: inline-block; max-width: var(--measure); margin-left: 1rem; vertical-align: top; font-weight: 400 } @media (max-width: 48rem) { summary .about { width: 100%; margin: 0 } }
`
