/** The record of the forecasts. */
export const ACCURACY = `
figure { margin: 1rem 0; max-width: 100%; overflow-x: auto } figcaption { margin-bottom: .4rem; font-size: .875rem; color: var(--quiet) } figure svg { max-width: 100%; height: auto }
.key { margin-left: .4rem; font-weight: 600; white-space: nowrap } .live-key { color: var(--ink) } .live-key::before { content: '● ' } .expected-key { color: var(--quiet) } .expected-key::before { content: '○ ' }
.grid { stroke: var(--line) } .zero { stroke: var(--text) } .diagonal { stroke: var(--quiet); stroke-dasharray: 4 4 } .tick { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums }
.live-points circle { fill: var(--ink) } .live-points line { stroke: var(--ink); stroke-width: 2 } .expected circle { fill: var(--back); stroke: var(--quiet); stroke-width: 1.6 } .expected line { stroke: var(--quiet); stroke-width: 2 } .expected polyline { stroke: var(--quiet) }
.beside-chart { display: grid; grid-template-columns: minmax(0, 22rem) minmax(0, 1fr); gap: 1.5rem; align-items: start } @media (max-width: 56rem) { .beside-chart { grid-template-columns: minmax(0, 1fr) } }
td .verdict { font-weight: 600 } td .better { color: var(--good) } td .worse { color: var(--bad) } .backtest-row td, .backtest-row th { color: var(--quiet); font-weight: 400 } #method li { max-width: 48rem; margin: .3rem 0 }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 26rem)); gap: 1rem 2.5rem } .pictures figure, .beside-chart figure { max-width: 26rem } .files a { margin-right: .3rem }
.vintages { display: grid; grid-template-columns: max-content minmax(0, 16rem); gap: .5rem .8rem; align-items: center; max-width: 30rem } .vintages label, .vintages button { margin: 0 } .vintages button { justify-self: start }
`
