import { serveLocally } from '../../local-server.ts'

/**
 * A client on this computer that stores the address with which a browser returns to it. With `leadsTo` its callback redirects
 * the browser on, as clients do whose app opens by a link.
 */
export async function clientOnThisComputer(leadsTo: string | null = null) {
  const came: URL[] = []
  const origin = await serveLocally((request, response) => {
    const url = new URL(request.url!, 'http://127.0.0.1')
    // Browsers also request an icon.
    if (url.pathname === '/callback') came.push(url)
    if (url.pathname === '/callback' && leadsTo !== null) response.writeHead(302, { location: leadsTo }).end()
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('You may close this window.')
  })
  return { came, redirect_uri: `${origin}/callback` }
}
