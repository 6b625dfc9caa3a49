import type { SourceStatus } from '../../data/status/source-status.ts'

const WIDTH = 88
const NAMES: Record<number, string> = { 24: '24 h', 168: '7 d', 720: '30 d' }

/** Uptime and freshness over the windows as two thin bars each. The figures stand beside them, so the bars are for eyes only. */
export function windowBars(windows: SourceStatus['windows']): string {
  if (windows.length === 0) return '<p class="quiet windows">Not observed yet.</p>'
  const rows = windows.map(({ hours, uptime, freshness }) => {
    const bars = bar(uptime, 0, 'up') + bar(freshness, 7, 'fresh')
    return `<div><dt>${NAMES[hours]}</dt><dd><svg aria-hidden="true" viewBox="0 0 ${WIDTH} 11" width="${WIDTH}" height="11">${bars}</svg><span>${uptime === null ? 'no runs' : `${percent(uptime)} up`}</span><span>${freshness === null ? '' : `${percent(freshness)} fresh`}</span></dd></div>`
  })
  return `<dl class="windows">${rows.join('')}</dl>`
}

function bar(share: number | null, top: number, kind: string): string {
  const track = `<rect class="track" y="${top}" width="${WIDTH}" height="4" rx="2"/>`
  if (share === null || share === 0) return track
  const low = share < 0.9 ? ' low' : ''
  return `${track}<rect class="${kind}${low}" y="${top}" width="${Math.max(2, Math.round(share * WIDTH))}" height="4" rx="2"/>`
}

/** In per cent with one decimal, rounded down: 100 % is all of it. */
function percent(share: number): string {
  const tenths = Math.floor(share * 1_000 + 1e-6)
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`
}
