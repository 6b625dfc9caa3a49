/** The record of the forecasts. */
export const ACCURACY = `
td .verdict { font-weight: 600 } td .better { color: var(--good) } td .worse { color: var(--bad) } .backtest-row td, .backtest-row th { color: var(--quiet); font-weight: 400 } #scorecard > .fit { max-width: 36rem } #scorecard > .fit tbody th { white-space: nowrap } #method li { max-width: 48rem; margin: .3rem 0 }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 26rem)); gap: 1rem 2.5rem } .pictures figure, #reliability figure { max-width: 26rem }
.vintages { display: grid; grid-template-columns: max-content minmax(0, 16rem); gap: .5rem .8rem; align-items: center; max-width: 30rem } .vintages label, .vintages button { margin: 0 } .vintages button { justify-self: start } @media (max-width: 32rem) { .vintages { grid-template-columns: minmax(0, 1fr) } .vintages button { margin-top: .3rem } }
`
