import { hashOf } from '../model/noise.ts'
import { MOBI_APIS } from './mobi.ts'
import { html, type Site, text } from './site.ts'

/** The airports' own sites, and the APIs that their scripts ask. */
const PAGES: Record<string, string[]> = {
  'flymco.com': ['MCO'],
  'www.fly2houston.com': ['IAH', 'HOU'],
  'www.dfwairport.com': ['DFW'],
  'www.cltairport.com': ['CLT'],
  'www.cvgairport.com': ['CVG'],
}

/** A bundle in which there is nothing to learn. */
const FRAMEWORK = '_next/static/chunks/framework-2c79e2a64abdb08b.js'

/** The name of a bundle changes with what is in it, as a build tool would have it. */
const bundleOf = (host: string, key: string) => `_next/static/chunks/main-${hashOf(host + key).toString(16)}.js`

/** Pages whose script bundle holds the vendor's key and version of the day, and uses them when a browser runs it. */
export const mobiPages: Site = {
  hosts: Object.keys(PAGES),
  answer: ({ host, path }, { keysOf }) => {
    const apis = MOBI_APIS.filter(({ iata }) => PAGES[host]?.includes(iata))
    const api = apis[0]
    if (!api) return null
    const { key, version } = keysOf(api.host)
    const bundle = bundleOf(host, key)
    if (path === '/') return html(page(host, bundle))
    if (path === `/${FRAMEWORK}`) return text('self.__NEXT_P=self.__NEXT_P||[];\n', 200, 'application/javascript')
    if (path === `/${bundle}`)
      return text(
        script(
          host,
          apis.map(({ host: where, path: what }) => where + what),
          key,
          version,
        ),
        200,
        'application/javascript',
      )
    return null
  },
}

/** Addresses are relative to the page, so that they hold on the host itself and under its name on another one. */
function page(host: string, bundle: string): string {
  return `<!doctype html><html lang="en"><head><title>${host}</title></head><body>
<main id="__next"><h1>Security wait times</h1><ul id="waits"></ul></main>
<script src="${FRAMEWORK}"></script><script src="${bundle}"></script>
</body></html>`
}

function script(host: string, apis: string[], key: string, version: string): string {
  return `(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[179],{4021:function(){
var maps={clientId:"a91c7704",clientSecret:"not-for-this-api-${hashOf(host).toString(16)}"};
var waits={headers:{"api-key":"${key}","api-version":"${version}",Accept:"application/json"}};
var base=location.pathname.indexOf("/${host}/")===0?location.origin+"/":"https://";
${JSON.stringify(apis)}.forEach(function(api){
fetch(base+api,{headers:waits.headers}).then(function(answer){return answer.json()}).then(function(body){
var list=body.data&&(body.data.wait_times||body.data.checkpoints)||[];
list.forEach(function(row){var line=document.createElement("li");line.textContent=row.name+" "+row.lane+": "+row.waitSeconds;
document.getElementById("waits").appendChild(line)})})});
}}]);self.webpackChunk_N_E.forEach(function(chunk){for(var id in chunk[1])chunk[1][id]()});
`
}
