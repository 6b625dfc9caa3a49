/** The dashboard. */
export const DASHBOARD = `
.tier { margin: 0 0 .6rem } .tier strong { font-size: 1.6rem; margin-right: .5rem } .tier span { color: var(--quiet) } .tally-of { margin-left: .5rem; font-size: .95rem; font-weight: 400; color: var(--quiet) }
#plan { margin-top: 1rem; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem } #plan h2 { margin: 0; font-size: 1rem; color: var(--quiet) } #plan p, #plan .terms { max-width: none } #plan > :last-child { margin-bottom: 0 }
.meter + p { margin-top: .6rem } .meter { overflow: hidden; border-radius: 6px } .used { fill: var(--band-edge) } .near { fill: var(--bad) }
.terms { display: flex; flex-wrap: wrap; gap: .4rem; margin: .8rem 0; padding: 0; list-style: none; font-size: .875rem } .terms li { padding: .15rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--raised) }
.lines { margin: 0 0 1rem; padding: 0; list-style: none; border-bottom: 1px solid var(--line) } .lines li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between; padding: .7rem 0; border-top: 1px solid var(--line) }
.lines div { flex: 1 1 14rem; min-width: 0 } .about { display: block; color: var(--quiet); font-size: .875rem } .about code { color: var(--text) }
.button.danger { color: var(--bad); background: transparent; border-color: var(--bad) } .button.small { margin: 0; padding: .25rem .8rem; font-size: .875rem }
.beside { display: flex; flex-wrap: wrap; gap: .6rem } .beside input { flex: 1 1 12rem } .beside button { margin: 0 }
.secret { display: block; width: 100%; max-width: 34rem; padding: .7rem .9rem; field-sizing: content; font: 1rem/1.5 var(--mono); color: inherit; background: var(--raised); border: 2px solid var(--accent); border-radius: .4rem; resize: none; word-break: break-all }
#usage figure { max-width: 48rem }
.sum { display: flex; gap: 1rem; align-items: center }
.steps { margin-top: 2.2rem }
`
