/** The status page. Each state has a colour and a word, so that the colour alone carries no meaning. */
export const STATUS = `
.ok, .healthy { --state: var(--good) } .degraded { --state: var(--warn) } .down, .failing, .open_circuit { --state: var(--bad) } .starting, .not_asked, .off { --state: var(--quiet) }
.overall { margin: .8rem 0; padding: .9rem 1.1rem; border: 1px solid var(--state); border-left-width: .5rem; border-radius: .5rem; background: var(--raised) }
.overall p { margin: 0 } .overall strong { color: var(--state); font-size: 1.35rem; line-height: 1.3 } .overall span { display: block }
.tally { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0; padding: 0; list-style: none } .tally li { border: 1px solid var(--line); border-left: .3rem solid var(--state); border-radius: .4rem; background: var(--raised) }
.tally a { display: block; padding: .3rem .8rem; color: var(--text); text-decoration: none } .tally a:hover { text-decoration: underline } .tally b { font-size: 1.2rem }
.sources, .facts { margin: 0; padding: 0; list-style: none } .facts { display: flex; flex-wrap: wrap; gap: 0 1rem }
.source { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 5fr) 21rem; gap: .2rem 1.6rem; padding: .8rem 0 .8rem .9rem; border-top: 1px solid var(--line); border-left: .3rem solid var(--state) }
.source p, .source h3 { margin: 0 } .source h3 { font-size: 1rem } .source .quiet, .facts { font-size: .875rem } .facts { color: var(--quiet) }
.reason { font-weight: 600; color: var(--state) } .reason code { font-weight: 400; color: var(--quiet) }
.days svg { max-width: 100%; height: auto; margin: .25rem 0 } .track { fill: var(--line) } rect.good { fill: var(--good) } rect.low { fill: var(--good); opacity: .45 } rect.bad { fill: var(--bad) }
@media (max-width: 56rem) { .source { grid-template-columns: 1fr; gap: .4rem } }
`
