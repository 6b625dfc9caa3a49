import type { ComponentChildren } from 'preact'
import { contactUri } from '../../config/contact.ts'
import type { InlineStyle } from '../style/index.ts'
import { Document } from './document.tsx'
import { Mark } from './mark.tsx'
import { Metadata, type PageAbout } from './metadata.tsx'

/** The viewer and address of a page. */
export interface View {
  /** The public address, which canonical addresses begin with. */
  site_url: string
  /** The path of the page, which marks its link in the navigation. */
  path: string
  /** Null if it is not known, as on the page of an unknown address. */
  isSignedIn: boolean | null
  isSimulated: boolean
  /** The operator of this installation: an address of a page or of mail; null if the page cannot know it. */
  contact: string | null
}

/** A page as a route describes it. */
export interface Page {
  /** The title of the document, without the name of the site; the `h1` too. */
  title: string
  /** The whole title of the document, where it is not `title · Holdshort`. */
  documentTitle?: string
  /** The body has an `h1` of its own. */
  ownHeading?: boolean
  description?: string
  /** The main part, below the `h1`. */
  body: ComponentChildren
  status?: number
  /** Our own scripts that the page loads besides that of the search field, by their file names in `pages/browser/`. */
  scripts?: readonly string[]
  /** Other origins that a form of the page may be redirected to. */
  formTargets?: readonly string[] | 'any'
  /** The description for search engines and networks, if it is more than title, description and path. */
  about?: PageAbout
  /** Elements of the head in place of that. */
  head?: ComponentChildren
  /** The text in the search field; null if the page has its own field instead. */
  search?: string | null
}

const SECTIONS = {
  '/': 'Map',
  '/delays': 'Delays',
  '/compare': 'Compare',
  '/accuracy': 'Accuracy',
  '/docs': 'Docs',
  '/status': 'Status',
}

function accountLink({ isSignedIn }: View): [href: string, text: string] {
  if (isSignedIn === null) return ['/dashboard', 'Account']
  return isSignedIn ? ['/dashboard', 'Dashboard'] : ['/sign-in', 'Sign in']
}

function Sections({ view }: { view: View }) {
  return (
    <nav class="sections" aria-label="Sections">
      <ul>
        {[...Object.entries(SECTIONS), accountLink(view)].map(([href, text]) => (
          <li>
            <a href={href} aria-current={isWithin(view.path, href) ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Whether a path is an address or lies below it. */
export const isWithin = (path: string, href: string) => path === href || (href !== '/' && path.startsWith(`${href}/`))

/** The search for an airport. It works as a form; the script of the page adds suggestions while one types. */
export function AirportSearch({ text = '', id = 'find' }: { text?: string; id?: string }) {
  return (
    <form class="find" method="get" action="/search" role="search" data-find>
      <label class="unseen" for={id}>
        Find by name, city or code
      </label>
      <input
        id={id}
        name="q"
        type="search"
        value={text}
        placeholder="Airport or city"
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        required
      />
      <button>Find</button>
    </form>
  )
}

const FOOT: Record<string, (view: View) => Record<string, string>> = {
  Look: (view) => ({
    '/': 'Airports and map',
    '/delays': 'FAA delays',
    '/compare': 'Compare airports',
    '/accuracy': 'How good the forecasts were',
    '/status': 'Status of every source',
    ...Object.fromEntries([accountLink(view)]),
  }),
  Build: () => ({
    '/data': 'Open data',
    '/docs': 'Documentation',
    '/openapi.json': 'OpenAPI 3.1',
    '/llms.txt': 'Index for agents',
    '/plans': 'Plans and prices',
  }),
}

const Foot = ({ view }: { view: View }) => (
  <footer class="foot">
    <div class="foot-row" id="menu">
      <div>
        <p class="foot-title">Holdshort</p>
        <p>
          Airport waits, delays and forecasts. Every figure has its source and its age; what is not known is left empty,
          with the reason.
        </p>
        <p>Not for flight planning. Airlines decide when a flight leaves.</p>
      </div>
      {Object.entries(FOOT).map(([title, links]) => (
        <nav aria-label={title}>
          <p class="foot-title">{title}</p>
          <ul>
            {Object.entries(links(view)).map(([href, text]) => (
              <li>
                <a href={href}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
      <div>
        <p class="foot-title">Credit</p>
        <ul>
          <li>
            <a href="/status">Sources, each with its publisher</a>
          </li>
          <li>Map: Natural Earth</li>
          <li>Free software, Apache 2.0</li>
          <li>
            <a href="/privacy">Privacy</a> · <a href="/terms">Terms</a> · <a href="/imprint">Imprint</a>
          </li>
          {view.contact !== null && (
            <li>
              <a href={contactUri(view.contact)}>Contact</a>
            </li>
          )}
        </ul>
      </div>
    </div>
  </footer>
)

interface ShellProps {
  view: View
  page: Page
  above?: ComponentChildren
  /** The style that stands in the page, in place of the sheet of all pages. */
  inlineStyle?: InlineStyle | null
}

/** The frame of every page: skip link, banner of a simulated world, head with search, main part, foot. */
export function Shell({ view, page, above = null, inlineStyle = null }: ShellProps) {
  const {
    title,
    documentTitle = `${title} · Holdshort`,
    description = title,
    search = '',
    scripts = [],
    body,
    about,
  } = page
  const { site_url, isSimulated } = view
  const head =
    page.head ??
    (about && (
      <Metadata title={title} description={description} {...about} site_url={site_url} isSimulated={isSimulated} />
    ))
  return (
    <Document
      title={documentTitle}
      description={description}
      scripts={['find', ...scripts]}
      head={head}
      inlineStyle={inlineStyle}
    >
      <a class="skip" href="#main">
        Skip to the content
      </a>
      {isSimulated && <SimulatedBanner />}
      <header class="top">
        <div class="top-row">
          <a class="brand" href="/" aria-label="Holdshort">
            <Mark />
            <span>Holdshort</span>
          </a>
          {search !== null && <AirportSearch text={search} />}
          <Sections view={view} />
          <a class="to-menu" href="#menu">
            Menu
          </a>
        </div>
        <div class="hold" />
      </header>
      <main id="main" tabindex={-1}>
        {above}
        {!page.ownHeading && <h1>{title}</h1>}
        {body}
      </main>
      <Foot view={view} />
    </Document>
  )
}

/** Announces a simulated world before anything else. */
export const SimulatedBanner = () => (
  <aside aria-label="Simulated world">
    <p class="banner">
      <strong>SIMULATED world</strong>: <span class="wide">every figure here is invented by a simulator; </span>do not
      use it for travel.
    </p>
  </aside>
)
