import { CHART_STYLE } from '../charts/palette.ts'

/** The status page. Each state has a colour and a word, so that the colour alone carries no meaning. */
const STATUS_STYLE = `
.ok, .healthy { --state: var(--good) } .degraded { --state: var(--warn) } .down, .failing, .open_circuit { --state: var(--bad) } .starting, .not_asked, .off { --state: var(--quiet) }
.home { margin: 1.2rem 0 0 } .home + h1 { margin-top: 0 } .quiet { color: var(--quiet); font-weight: 400 }
.overall { margin: .8rem 0; padding: .9rem 1.1rem; border: 1px solid var(--state); border-left-width: .5rem; border-radius: .5rem; background: var(--raised) }
.overall p { margin: 0 } .overall strong { color: var(--state); font-size: 1.35rem; line-height: 1.3 } .overall span { display: block }
.tally { gap: .5rem } .tally li { border: 1px solid var(--line); border-left: .3rem solid var(--state); border-radius: .4rem; background: var(--raised) }
.tally a { display: block; padding: .3rem .8rem; color: var(--text); text-decoration: none } .tally a:hover { text-decoration: underline } .tally b { font-size: 1.2rem }
.sources, .facts { margin: 0; padding: 0; list-style: none } .facts { display: flex; flex-wrap: wrap; gap: 0 1rem }
.source { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 5fr) 21rem; gap: .2rem 1.6rem; padding: .8rem 0 .8rem .9rem; border-top: 1px solid var(--line); border-left: .3rem solid var(--state) }
.source p, .source h3 { margin: 0 } .source h3 { font-size: 1rem } .source .quiet, .facts { font-size: .875rem } .facts { color: var(--quiet) }
.reason { font-weight: 600; color: var(--state) } .reason code { font-weight: 400; color: var(--quiet) }
.windows { margin: 0; font-size: .875rem; font-variant-numeric: tabular-nums } .windows div { display: flex; gap: .7rem; align-items: center }
.windows dt { flex: 0 0 2.3rem; color: var(--quiet) } .windows dd { display: flex; flex: 1; gap: .7rem; align-items: center; margin: 0; white-space: nowrap } .windows span { flex: 1 0 5.2rem; text-align: right }
.track { fill: var(--line) } .up { fill: var(--good) } .fresh { fill: var(--accent) } .low { fill: var(--warn) }
@media (max-width: 56rem) { .source { grid-template-columns: 1fr; gap: .4rem } }
`

/** The dashboard. */
const DASHBOARD_STYLE = `
[hidden] { display: none !important } bdi { overflow-wrap: anywhere }
.notice { padding: .7rem 1rem; border-left: .3rem solid var(--good); background: var(--raised) }
.tier { margin: 0 0 .6rem } .tier strong { font-size: 1.6rem; margin-right: .5rem } .tier span { color: var(--quiet) } .tally-of { margin-left: .5rem; font-size: .95rem; font-weight: 400; color: var(--quiet) }
#plan { margin-top: 1rem; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem } #plan h2 { margin: 0; font-size: 1rem; color: var(--quiet) } #plan p, #plan .terms { max-width: none } #plan > :last-child { margin-bottom: 0 }
.meter + p { margin-top: .6rem } .meter { overflow: hidden; border-radius: 6px } .used { fill: var(--accent) } .near { fill: var(--warn) }
.terms { display: flex; flex-wrap: wrap; gap: .4rem; margin: .8rem 0; padding: 0; list-style: none; font-size: .875rem } .terms li { padding: .15rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--raised) }
.lines { margin: 0 0 1rem; padding: 0; list-style: none; border-bottom: 1px solid var(--line) } .lines li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between; padding: .7rem 0; border-top: 1px solid var(--line) }
.lines div { flex: 1 1 14rem; min-width: 0 } .about { display: block; color: var(--quiet); font-size: .875rem } .about code { color: var(--text) }
.button.danger { color: var(--bad); background: transparent; border-color: var(--bad) } .button.small { margin: 0; padding: .25rem .8rem; font-size: .875rem }
.beside { display: flex; flex-wrap: wrap; gap: .6rem } .beside input { flex: 1 1 12rem } .beside button { margin: 0 }
.secret { display: block; width: 100%; max-width: 34rem; padding: .7rem .9rem; field-sizing: content; font: 1rem/1.5 ui-monospace, monospace; color: inherit; background: var(--raised); border: 2px solid var(--accent); border-radius: .4rem; resize: none; word-break: break-all }
.bars { display: flex; gap: .6rem; margin: 1rem 0 } .bars svg { flex: 1 1 0; min-width: 0; font-size: 12px } .bars .scale { flex: none } .bars text { fill: var(--quiet); text-anchor: middle; font-variant-numeric: tabular-nums } .scale text { text-anchor: end }
.bars line { stroke: var(--line) } .bar { fill: var(--accent) } .whole { fill: transparent } .bars g:hover .whole { fill: var(--raised) }
time { white-space: nowrap } .sum { display: flex; gap: 1rem; align-items: center } .number:last-child { padding-right: 0 }
.steps { margin-top: 2.2rem } h3 { margin: 1.4rem 0 .3rem; font-size: 1.05rem }
`

/** The record of the forecasts. */
const ACCURACY_STYLE = `
figure { margin: 1rem 0; max-width: 100%; overflow-x: auto } figcaption { margin-bottom: .4rem; font-size: .875rem; color: var(--quiet) } figure svg { max-width: 100%; height: auto }
.key { margin-left: .4rem; font-weight: 600; white-space: nowrap } .live-key { color: var(--accent) } .live-key::before { content: '● ' } .expected-key { color: var(--quiet) } .expected-key::before { content: '○ ' }
.grid { stroke: var(--line) } .zero { stroke: var(--text) } .diagonal { stroke: var(--quiet); stroke-dasharray: 4 4 } .tick { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums }
.live-points circle { fill: var(--accent) } .live-points line { stroke: var(--accent); stroke-width: 2 } .expected circle { fill: var(--back); stroke: var(--quiet); stroke-width: 1.6 } .expected line { stroke: var(--quiet); stroke-width: 2 } .expected polyline { stroke: var(--quiet) }
.beside-chart { display: grid; grid-template-columns: minmax(0, 22rem) minmax(0, 1fr); gap: 1.5rem; align-items: start } @media (max-width: 56rem) { .beside-chart { grid-template-columns: minmax(0, 1fr) } }
td .verdict { font-weight: 600 } td .better { color: var(--good) } td .worse { color: var(--bad) } .backtest-row td, .backtest-row th { color: var(--quiet); font-weight: 400 } #method li { max-width: 48rem; margin: .3rem 0 }
`

/** The one style sheet of all pages. It follows the reader's dark or light setting; contrast is at least 4.5 to 1. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1a1d21; --back: #fff; --raised: #f4f6f8; --line: #c9ced6; --accent: #0b57a4; --quiet: #525a66; --band: #c4dcf5; --good: #14652f; --bad: #a3260f; --warn: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --back: #14171b; --raised: #1d2126; --line: #3a414b; --accent: #8cc2ff; --quiet: #a9b1bd; --band: #24425f; --good: #7fd69a; --bad: #ffa18c; --warn: #ffc34d } }
* { box-sizing: border-box }
html { scroll-behavior: smooth } @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back) }
header, main { max-width: 66rem; margin: 0 auto; padding: 0 1rem } main { padding-bottom: 4rem }
h1 { margin: 1.6rem 0 .2rem; font-size: 2.2rem; letter-spacing: -.02em } h2 { margin: 2.2rem 0 .5rem; font-size: 1.3rem }
p { margin: .4rem 0 .8rem; max-width: 48rem; overflow-wrap: anywhere } .lead { font-size: 1.2rem; line-height: 1.4 }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; left: -99rem } .skip:focus { left: .5rem; top: .5rem; padding: .5rem .8rem; background: var(--back); z-index: 1 }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; margin: .8rem 0 0; padding: 0; list-style: none }
.banner { margin: 0; padding: .8rem 1rem; max-width: none; text-align: center; color: #221500; background: #ffc34d; font-size: 1.1rem }
.warning { padding: .6rem .9rem; border-left: .3rem solid var(--bad); background: var(--raised) }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse }
th, td { padding: .45rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top }
:is(th, td):first-child { padding-left: 0 } @media (max-width: 30rem) { td:has(form) { position: sticky; right: 0; background: var(--back) } } thead th { white-space: nowrap; color: var(--quiet); font-size: .875rem }
td span, th span { display: block; font-weight: 400; color: var(--quiet); font-size: .875rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap } td.number { font-weight: 600 }
.live { color: var(--good); font-weight: 600 } .stale, .none { color: var(--quiet) }
.chart { white-space: nowrap } svg { display: block; overflow: visible } polygon { fill: var(--band) } polyline { fill: none; stroke: var(--accent); stroke-width: 1.6 }
pre { overflow-x: auto; margin: .5rem 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--raised) }
code { overflow-wrap: anywhere; font-size: .9em } pre code { overflow-wrap: normal }
form { margin: .8rem 0; max-width: 30rem } label { display: block; margin: .8rem 0 .2rem; font-weight: 600 }
input, select { width: 100%; padding: .55rem .7rem; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: .4rem }
input[type=checkbox], input[type=radio] { width: auto; margin-right: .4rem }
button, .button { display: inline-block; margin: .8rem .4rem 0 0; padding: .55rem 1.1rem; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; color: var(--back); background: var(--accent); border: 1px solid var(--accent); border-radius: .4rem }
button.second, .button.second { color: var(--accent); background: transparent } button.danger { color: var(--bad); background: transparent; border-color: var(--bad) }
td form { margin: 0 } td button { margin: 0; padding: .2rem .6rem; font-size: .875rem } .hint { margin: .1rem 0; font-weight: 400; color: var(--quiet); font-size: .875rem }
.fault { color: var(--bad); font-weight: 600 } [aria-current] { color: inherit; text-decoration: none; font-weight: 600 }
dt { margin-top: .7rem; font-weight: 600 } dd { margin: 0; max-width: 48rem; overflow-wrap: anywhere }
.plans { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; margin: 1.2rem 0 } .plan { padding: 0 1.1rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
.plan[data-current] { border-color: var(--good); border-width: 2px } .plan h2 { margin-top: 1rem } .plan ul { padding-left: 1.1rem }
summary { cursor: pointer; padding: .3rem 0; color: var(--accent) }
${STATUS_STYLE}${DASHBOARD_STYLE}${ACCURACY_STYLE}${CHART_STYLE}`
