import { type Published, payloadOf } from './payload-of.ts'

const absent = (count: number): Published[] => Array.from({ length: count }, () => 'absent')

/** Payloads of the simulated world that tests use as fixtures: by name, with what the queues of the source publish. */
export const FILLED_FIXTURES: Record<string, () => string> = {
  'mobi-iah.json': () => payloadOf('mobi-iah', [4.5, 1, 'hidden', 'unknown', ...absent(3), 'closed', 'absent', 25]),
  'aci-mia.json': () =>
    payloadOf('sita-mia', ['closed', 'absent', 9.5, 'unknown', ...absent(16), 0, ...absent(5), 25.5], {
      oddities: ['older MIA//2/standard'],
    }),
  'aci-phx.json': () => payloadOf('aci-phx', [6.5, 11.25]),
  'aci-muc.json': () => payloadOf('muc-passngr', ['absent', 4.2, 'unknown']),
  'panynj-ewr.json': () =>
    payloadOf('panynj-graphql', [14, 0, 'unknown', 'absent', 'closed'], {
      iata: 'EWR',
      observed: '2026-11-21T05:01:00Z',
    }),
  'zensors.json': () => payloadOf('zensors-las', [7, 'closed']),
  'mwaa.json': () => payloadOf('mwaa-dca', [3, 7, 12, 'closed', 'closed'], { oddities: ['Gates D-E/precheck'] }),
  'ord.json': () =>
    payloadOf('ord-flychicago', [...absent(5), 9.5, 'closed', ...absent(2), 5.5, ...absent(3), 'unknown'], {
      oddities: ['overview', 'repeats'],
    }),
  'slc.json': () => payloadOf('slc-official', [9, 5, 'closed']),
  'sfo.html': () => payloadOf('sfo-html', [4, 'unknown', 0, 1, ...absent(2), 'closed', 8]),
  'delta.html': () =>
    payloadOf('delta-newshub', [12, 'absent', 'closed', 6, 3, 7, 'absent', 15], {
      oddities: ['DTW fallback', 'LAX'],
    }),
  'msp.html': () => payloadOf('msp-html', [3, 12, 'closed', 5]),
  'oma.html': () => payloadOf('oma-html', [7, 'closed']),
  'chs.html': () => payloadOf('chs-html', [12, 3]),
  'stl.html': () => payloadOf('stl-html', [9, 9, 'absent', 'closed']),
  'sat.html': () => payloadOf('sat-html', [7, 12]),
  'bna.html': () => payloadOf('bna-html', [6]),
  'catsa-yyz.html': () => payloadOf('catsa-html', [3, ...absent(2), 17, 'unknown', 35]),
  'yyz.json': () => payloadOf('yyz-pearson', [7.5, ...absent(2), 12.25]),
  'yvr.json': () => payloadOf('yvr-catsa', ['absent', 6.5, 'absent', 'unknown']),
  'yyc.json': () => payloadOf('yyc-rms', [7, 'closed', 12]),
  'lhr-security.json': () => payloadOf('lhr-pihub', [...absent(5), 7, 'absent', 'unknown']),
  'lhr-immigration.json': () => payloadOf('lhr-immigration', [...absent(3), 40], { oddities: ['negative'] }),
  'swedavia.json': () =>
    payloadOf('swedavia-keyless', ['closed', 'absent', 'unknown', 30, 'absent', 2.5, 0.5], { oddities: ['disabled'] }),
  'hel.json': () => payloadOf('hel-finavia', [6]),
  'zrh-security.json': () => payloadOf('zrh-security', [2], { oddities: ['band'] }),
  'zrh-passport.json': () => payloadOf('zrh-passport', [4, ...absent(2), 'unknown']),
  'bru.html': () => payloadOf('bru-html', [7]),
  'doh.json': () => payloadOf('doh-xovis', [5.5, 2.5, 9.5]),
  'del.json': () => payloadOf('del-dial', [4, 'closed']),
}
