/** The page's only style: dark or light as the reader's system is, contrast at least 4.5 to 1. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1a1d21; --back: #fff; --line: #c9ced6; --accent: #0b57a4; --quiet: #525a66 }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --back: #14171b; --line: #3a414b; --accent: #8cc2ff; --quiet: #a9b1bd } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back) }
main { max-width: 58rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { margin: 0 0 .5rem; font-size: 2rem } h2 { margin: 2.2rem 0 .5rem; font-size: 1.25rem }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.banner { margin: 0; padding: .9rem 1rem; text-align: center; color: #221500; background: #ffc34d; font-size: 1.1rem }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse }
th, td { padding: .4rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top }
th span { display: block; font-weight: 400; color: var(--quiet); font-size: .875rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.live { font-weight: 600 } .stale, .none { color: var(--quiet) }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .4rem }
`
