/** Text, links, tables and forms of all pages. */
export const BASE = `
* { box-sizing: border-box }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100% } @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; font: var(--type-text)/1.55 var(--sans); color: var(--text); background: var(--back) }
main { flex: 1; width: 100%; max-width: var(--wide); margin: 0 auto; padding: 1.5rem 1.25rem 4rem } main:focus { outline: none }
h1 { margin: 0 0 .35rem; font-size: var(--type-h1); line-height: 1.12; letter-spacing: -.022em; text-wrap: balance }
h2 { margin: 2.75rem 0 .6rem; font-size: var(--type-h2); line-height: 1.2; letter-spacing: -.012em } h3 { margin: 1.5rem 0 .35rem; font-size: var(--type-h3); line-height: 1.3 }
p { margin: .4rem 0 .85rem; max-width: var(--measure); overflow-wrap: anywhere } .lead { font-size: var(--type-lead); line-height: 1.45; color: var(--quiet) }
a { color: inherit; text-decoration-color: var(--band-edge); text-decoration-thickness: 2px; text-underline-offset: .2em } a:hover { text-decoration-color: currentColor }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
.skip { position: absolute; left: -99rem } .skip:focus { left: .5rem; top: .5rem; padding: .5rem .9rem; color: var(--asphalt); background: var(--signal); z-index: 9 }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap } [hidden] { display: none !important }
.banner { margin: 0; padding: .55rem 1.25rem; max-width: none; text-align: center; color: var(--asphalt); background: repeating-linear-gradient(-45deg, var(--signal) 0 14px, var(--flag) 14px 28px) }
.warning { padding: .65rem 1rem; border-left: .3rem solid var(--bad); background: var(--raised) } .notice { padding: .65rem 1rem; border-left: .3rem solid var(--good); background: var(--raised) }
.quiet, .none { color: var(--quiet) } .quiet { font-weight: 400 } .small { font-size: var(--type-note) }
.sign { display: inline-block; padding: .1em .4em; font: 700 .92em/1.25 var(--mono); letter-spacing: .04em; color: var(--signal); background: var(--asphalt); border: 1px solid var(--signal); border-radius: .2em; text-decoration: none }
.sign.mandatory { color: var(--white); background: var(--sign-red); border-color: var(--white) }
.hits { margin: 0; padding: 0; max-width: var(--measure); list-style: none } .hits a { display: flex; gap: .9rem; align-items: baseline; padding: .6rem .2rem; text-decoration: none; border-bottom: 1px solid var(--line) } .hits a:hover bdi { text-decoration: underline; text-decoration-color: var(--band-edge) } .hits span { min-width: 0 } .hits small { display: block; color: var(--quiet); font-size: var(--type-note) }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse }
th, td { padding: .5rem .75rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top } :is(th, td):first-child { padding-left: 0 } :is(th, td):last-child { padding-right: 0 }
@media (max-width: 40rem) { .fit td:not(.number), .fit th { overflow-wrap: anywhere } .fit :is(th, td) { padding: .45rem .35rem } .fit :is(th, td):first-child { padding-left: 0 } .fit thead th { white-space: normal; vertical-align: bottom } }
@media (max-width: 52rem) { .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) } .stack :is(table, tbody, tr, th, td) { display: block } .stack tbody tr { padding: .6rem 0; border-bottom: 1px solid var(--line) } .stack tbody :is(th, td) { min-width: 0; padding: .12rem 0; border: 0 }
.stack td[data-column] { display: grid; grid-template-columns: 8.5rem 1fr; gap: .6rem; text-align: left; white-space: normal } .stack td[data-column]::before { content: attr(data-column); font-weight: 400; color: var(--quiet); font-size: var(--type-note) } .stack td > div { min-width: 0; overflow-wrap: anywhere } .stack time { white-space: normal } .stack td[data-column] span { display: inline; margin-left: .4rem } }
@media (max-width: 30rem) { .fit td:has(form) { position: sticky; right: 0; background: var(--back) } } thead th { white-space: nowrap; color: var(--quiet); font-size: var(--type-note); font-weight: 600 }
td span, th span { display: block; font-weight: 400; color: var(--quiet); font-size: var(--type-note) }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap } td.number { font-weight: 600 }
.live { color: var(--good); font-weight: 600 } .stale { color: var(--quiet) } time { white-space: nowrap } bdi { overflow-wrap: anywhere }
svg { display: block; overflow: visible }
figure { margin: 1rem 0; max-width: 100%; overflow-x: auto } figcaption { margin-bottom: .4rem; font-size: .875rem; color: var(--quiet) } figure svg { max-width: 100%; height: auto } .files a { margin-right: .3rem }
pre { overflow-x: auto; margin: .6rem 0; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); line-height: 1.5 }
code { overflow-wrap: anywhere; font: .9em var(--mono) } pre code { overflow-wrap: normal }
form { margin: .8rem 0; max-width: 30rem } label { display: block; margin: .8rem 0 .2rem; font-weight: 600 }
input, select { width: 100%; padding: .6rem .75rem; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--edge); border-radius: var(--radius) }
input[type=checkbox], input[type=radio] { width: auto; margin-right: .4rem; accent-color: var(--accent) }
button, .button { display: inline-block; margin: .8rem .4rem 0 0; padding: .6rem 1.15rem; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: var(--radius) }
button:hover, .button:hover { box-shadow: inset 0 -3px 0 var(--signal) }
button.second, .button.second { color: var(--accent); background: transparent } button.danger { color: var(--bad); background: transparent; border-color: var(--bad) }
td form { margin: 0 } td button { margin: 0; padding: .2rem .6rem; font-size: var(--type-note) } .hint { margin: .1rem 0; font-weight: 400; color: var(--quiet); font-size: var(--type-note) }
.fault { color: var(--bad); font-weight: 600 }
dt { margin-top: .7rem; font-weight: 600 } dd { margin: 0; max-width: var(--measure); overflow-wrap: anywhere }
.plans { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; margin: 1.2rem 0 } .plan { padding: 0 1.1rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised) }
.plan[data-current] { border-color: var(--good); border-width: 2px } .plan h2 { margin-top: 1rem } .plan ul { padding-left: 1.1rem } .plan.recommended { border: 2px solid var(--signal) } .plan .for { color: var(--quiet); font-size: var(--type-note) }
summary .about { display: inline-block; font-weight: 400; color: var(--quiet); font-size: var(--type-note) } summary { cursor: pointer; padding: .35rem 0; font-weight: 600 } details > summary { text-decoration: underline; text-decoration-color: var(--band-edge); text-decoration-thickness: 2px; text-underline-offset: .2em }
`
