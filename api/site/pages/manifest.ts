/** What a phone needs to put the site on its home screen; without that, iOS lets no page show push messages. */
export const MANIFEST = {
  name: 'Holdshort',
  short_name: 'Holdshort',
  start_url: '/alerts',
  scope: '/',
  display: 'standalone',
  icons: [{ src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }],
}
