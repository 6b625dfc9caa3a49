/** The page of an airport, and its frame for other sites. */
export const AIRPORT = `
.airport-head h1 { display: flex; flex-wrap: wrap; gap: .5rem .8rem; align-items: center } .airport-head bdi { text-align: left } .airport-head .sign { font-size: .8em }
.now { margin: 1rem 0 1.2rem; padding: 1.1rem 1.3rem; border: 1px solid var(--line); border-left: .5rem solid var(--band-edge); border-radius: var(--radius); background: var(--raised) } .now p { margin: .25rem 0 }
.now-live, .now-recent { border-left-color: var(--good) } .now-closed, .now-unknown { border-left-color: var(--edge) }
.now-figure { margin: 0; font-size: var(--type-figure); font-weight: 750; line-height: 1.05; letter-spacing: -.03em; font-variant-numeric: tabular-nums } .now-figure span { font-size: var(--type-lead); font-weight: 500; letter-spacing: 0; color: var(--quiet) } .now-opens { font-size: var(--type-lead); font-weight: 600 }
.from, .files { color: var(--quiet); font-size: var(--type-small) } .files { display: inline-flex; gap: .7rem; margin-left: .6rem } .withheld { padding: .65rem 1rem; border: 1px dashed var(--edge); border-radius: var(--radius); background: var(--sunken) }
.contents { margin: 1rem 0 } .contents ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0; padding: 0; list-style: none; font-size: var(--type-note) } .airport section { scroll-margin-top: 1rem }
.picture { margin: 1rem 0; max-width: 60rem; overflow: visible } .picture figcaption { margin: .5rem 0 0; max-width: var(--measure); font-size: var(--type-note); color: var(--text) }
.leave-by { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: .2rem 1.2rem; align-items: start; max-width: none } .leave-by .ticks { grid-column: 1 / -1 } .leave-by button { justify-self: start } .tick { display: inline-block; margin: .6rem 1.4rem 0 0; font-weight: 500 }
.plan-answer { margin: 1.2rem 0; padding: 1rem 1.3rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) } .plan-answer .lead { color: var(--text) }
.terminal th { font-weight: 700 } .checkpoint th { padding-left: 1.2rem !important; font-weight: 400 } .checkpoint th span { display: inline } .terminal td, .checkpoint td { white-space: normal } .places li { margin: .3rem 0; max-width: var(--measure) } .nearby { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.4rem }
.embed main { padding: .8rem 1rem } .embed h1 { font-size: 1.1rem; display: flex; gap: .5rem; align-items: center } .embed .now-figure { font-size: 2.4rem }
`
