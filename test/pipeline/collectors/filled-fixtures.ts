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
  'aci-bwi.json': () => payloadOf('bwi-json', [6, ...absent(10), 'closed', ...absent(2), 0]),
  'aci-muc.json': () => payloadOf('muc-passngr', ['absent', 4.2, 'unknown']),
  'panynj-ewr.json': () =>
    payloadOf('panynj-graphql', [14, 0, 'unknown', 'absent', 'closed'], {
      iata: 'EWR',
      observed: '2026-11-21T05:01:00Z',
    }),
  'den.json': () =>
    payloadOf('den-flyfruition', [5, 1, 'hidden', 'closed', 'closed', 25], {
      oddities: ['forced DEN//West Security/standard', 'over 20'],
    }),
  'zensors.json': () => payloadOf('zensors-las', [7, 'closed']),
  'pit.json': () => payloadOf('pit-azure', [6, 2, 'closed', 'hidden']),
  'pdx.json': () => payloadOf('pdx-tsa', [7, 3, 'closed', 'closed']),
  'mwaa.json': () => payloadOf('mwaa-dca', [3, 7, 12, 'closed', 'closed'], { oddities: ['Gates D-E/precheck'] }),
  'ord.json': () =>
    payloadOf('ord-flychicago', [...absent(5), 9.5, 'closed', ...absent(2), 5.5, ...absent(3), 'unknown'], {
      oddities: ['overview', 'repeats'],
    }),
  'slc.json': () => payloadOf('slc-official', [9, 5, 'closed']),
  'dtw.json': () => payloadOf('dtw-skyfii', [12, 0]),
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
  'fra.json': () => payloadOf('fra-waz', [7, 'absent', 'closed']),
  'dus.json': () => payloadOf('dus-sitecore', [4, 'closed']),
  'ham.json': () => payloadOf('ham', [7]),
  'ber.json': () => payloadOf('ber-apls', [5, 'closed', 2, 'absent', 7]),
  'cph.json': () => payloadOf('cph-azure', [12, 25]),
  'swedavia.json': () =>
    payloadOf('swedavia-keyless', ['closed', 'absent', 'unknown', 30, 'absent', 2.5, 0.5], { oddities: ['disabled'] }),
  'osl.json': () => payloadOf('avinor-osl', [4.5, 'unknown', 15.5]),
  'hel.json': () => payloadOf('hel-finavia', [6]),
  'zrh-security.json': () => payloadOf('zrh-security', [2], { oddities: ['band'] }),
  'zrh-checkin.json': () =>
    payloadOf('zrh-checkin', [6, 2, ...absent(3), 'unknown', 1], { oddities: ['Check-in 1/all/checkin band'] }),
  'zrh-passport.json': () => payloadOf('zrh-passport', [4, ...absent(2), 'unknown']),
  'dub.json': () => payloadOf('dub-dap', [5, 'unknown']),
  'edi.json': () => payloadOf('edi-blip', [6]),
  'aena.json': () =>
    payloadOf('aena-indoor', [5.5, 'unknown', 8], { iata: 'PMI', oddities: ['S0003/priority forgotten'] }),
  'str.html': () => payloadOf('str-html', [8, 'closed']),
  'bru.html': () => payloadOf('bru-html', [7]),
  'fco.html': () => payloadOf('fco-html', [4, 25]),
  'ist.json': () => payloadOf('ist', [4, 17, 'unknown']),
  'doh.json': () => payloadOf('doh-xovis', [5.5, 2.5, 9.5]),
  'del.json': () => payloadOf('del-dial', [4, 'closed']),
}
