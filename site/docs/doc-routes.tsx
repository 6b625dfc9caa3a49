import type { ComponentChildren } from 'preact'
import type { OpenApiDocument } from '../../api/rest/openapi-types.ts'
import { notFoundError } from '../../api/rest/unknown-routes.ts'
import { addresses } from '../../config/addresses.ts'
import { ParameterError } from '../../config/errors.ts'
import { once } from '../../config/once.ts'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { apiData, articleData, breadcrumbs } from '../pages/schema-org.ts'
import type { Page } from '../pages/shell.tsx'
import { SCALAR_STYLE } from '../style/index.ts'
import { type DocPage, GROUPS } from './doc-page.ts'
import { documentPages } from './documents.tsx'
import { errorsPage, sourcesPage, startPage, tiersPage } from './guide-pages.tsx'
import { addScalar, REST_REFERENCE, redirectFormerReference, restReferencePage } from './rest-reference.tsx'

const TITLE = 'Documentation'
const DESCRIPTION =
  'Quick starts, the reference of the REST API to try with a key, the MCP server, errors, tiers, and how figures are made.'
const MAX_LETTERS = 100
const SCRIPTS = ['docs']

/** Adds `/docs` and everything below it. */
export const addDocPages: AddPages = (pages, { settings }) => {
  const urls = addresses(settings)
  const referencePage = once(() => restReferencePage(pages.swagger() as unknown as OpenApiDocument))
  // The pages say the same until the process ends.
  const pagesOf = once((): DocPage[] => [
    startPage(urls),
    referencePage(),
    errorsPage(urls.site_url),
    tiersPage(),
    ...documentPages(),
    sourcesPage(),
  ])

  pages.preparations.push(pagesOf)

  pages.get('/docs', OPEN_ROUTE, (request, reply) => sendOpenPage(request, reply, '/docs', () => frontPage(pagesOf())))
  pages.get('/docs/search', OPEN_ROUTE, (request, reply) => {
    const { q = '' } = request.query as { q?: unknown }
    if (typeof q !== 'string' || q.length > MAX_LETTERS)
      throw ParameterError.of('q', `must be one text of at most ${MAX_LETTERS} characters`)
    const query = q.trim()
    return sendOpenPage(request, reply, `/docs/search?q=${query}`, () => searchPage(pagesOf(), query))
  })
  pages.get(REST_REFERENCE, OPEN_ROUTE, (request, reply) =>
    sendOpenPage(request, reply, REST_REFERENCE, () => scalarPage(referencePage()), SCALAR_STYLE),
  )
  redirectFormerReference(pages, referencePage)
  addScalar(pages)
  for (const address of ['/docs/:page', '/docs/:page/:part'])
    pages.get(address, OPEN_ROUTE, (request, reply) => {
      const path = request.url.split('?')[0]!
      const page = pagesOf().find((candidate) => candidate.path === path)
      if (!page) throw notFoundError(request)
      return sendOpenPage(request, reply, path, () => shownPage(page, pagesOf()))
    })
}

function frontPage(all: DocPage[]): Page {
  return {
    title: TITLE,
    description: DESCRIPTION,
    scripts: SCRIPTS,
    ownHeading: true,
    about: {
      path: '/docs',
      alternates: [{ type: 'application/json', path: '/openapi.json', title: 'OpenAPI 3.1' }],
      data: [apiData],
    },
    body: (
      <DocLayout pages={all} path="/docs">
        <h1>{TITLE}</h1>
        <p class="lead">
          Airport waits, delays and forecasts over REST and MCP. Every figure comes with its source and its age; a value
          that is not known is null, with the reason.
        </p>
        {GROUPS.map((group) => (
          <>
            <h2>{group}</h2>
            <ul class="doc-cards">
              {all
                .filter((entry) => entry.group === group && !entry.isPart)
                .map(({ path, title, description }) => (
                  <li>
                    <a href={path}>{title}</a>
                    <p>{description}</p>
                  </li>
                ))}
            </ul>
          </>
        ))}
      </DocLayout>
    ),
  }
}

/** The page of the reference, which has contents and a search of its own. */
function scalarPage(page: DocPage): Page {
  return {
    ...pageOf(page),
    scripts: ['reference'],
    body: (
      <>
        <Above path="/docs" title={TITLE} />
        <h1>{page.title}</h1>
        {page.body}
      </>
    ),
  }
}

function shownPage(page: DocPage, all: DocPage[]): Page {
  const { path, body } = page
  return {
    ...pageOf(page),
    scripts: SCRIPTS,
    body: (
      <DocLayout pages={all} path={path} page={page}>
        {body}
      </DocLayout>
    ),
  }
}

function pageOf({ path, title, description, body }: DocPage): Page {
  return {
    title,
    documentTitle: `${title} · Holdshort docs`,
    description,
    ownHeading: true,
    about: {
      path,
      data: [
        articleData({ path, title, description }),
        breadcrumbs([
          ['/', 'Holdshort'],
          ['/docs', TITLE],
          [path, title],
        ]),
      ],
    },
    body,
  }
}

function searchPage(all: DocPage[], query: string): Page {
  const hits = searchDocs(all, query)
  const title = query === '' ? 'Search the documentation' : `Documentation: ${query}`
  return {
    title,
    ownHeading: true,
    head: <meta name="robots" content="noindex" />,
    body: (
      <DocLayout pages={all} path="/docs/search" query={query}>
        <h1>{title}</h1>
        {query !== '' && hits.length === 0 && <p>Nothing in the documentation has all of these words.</p>}
        <ol class="doc-hits">
          {hits.map(({ path, page, title: name, excerpt }) => (
            <li>
              <a href={path}>{name}</a> {name !== page && <span class="quiet">{page}</span>}
              {excerpt !== '' && <p>{excerpt}</p>}
            </li>
          ))}
        </ol>
      </DocLayout>
    ),
  }
}

/** The addresses of the pages, for the sitemap. */
export const DOC_ADDRESSES = [
  '/docs',
  '/docs/start',
  REST_REFERENCE,
  '/docs/errors',
  '/docs/tiers',
  '/docs/readme',
  '/docs/method',
  '/docs/use',
  '/docs/use/mcp',
  '/docs/operate',
  '/docs/changes',
  '/docs/sources',
]

interface LayoutProps {
  pages: readonly DocPage[]
  path: string
  /** The text in the search field. */
  query?: string
  page?: DocPage
  children: ComponentChildren
}

/** The frame of a page of the documentation: search, all pages, the contents of this one. */
function DocLayout({ pages, path, query = '', page, children }: LayoutProps) {
  const contents = (page?.sections ?? []).filter(({ depth }) => depth === 2)
  return (
    <div class="docs">
      <form class="docs-find" method="get" action="/docs/search" role="search" aria-label="Documentation">
        <label class="unseen" for="docs-q">
          Search the documentation
        </label>
        <input id="docs-q" name="q" type="search" value={query} placeholder="Search docs" maxLength={100} required />
        <button>Search</button>
      </form>
      <article class="doc">
        {page?.isPart && (
          <Above path={parentOf(path)} title={pages.find((entry) => entry.path === parentOf(path))?.title} />
        )}
        {page && <h1>{page.title}</h1>}
        {contents.length > 2 && (
          <nav class="doc-contents" aria-label="On this page">
            <ul>
              {contents.map(({ id, title }) => (
                <li>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {children}
      </article>
      <nav class="docs-menu" aria-label="Documentation">
        {GROUPS.map((group) => (
          <>
            <p>{group}</p>
            <ul>
              {pages
                .filter((entry) => entry.group === group && !entry.isPart)
                .map((entry) => (
                  <li>
                    <a href={entry.path} aria-current={entry.path === path ? 'page' : undefined}>
                      {entry.title}
                    </a>
                  </li>
                ))}
            </ul>
          </>
        ))}
      </nav>
    </div>
  )
}

const parentOf = (path: string) => path.split('/').slice(0, -1).join('/')

/** The way up from a page that is part of another. */
const Above = ({ path, title }: { path: string; title: string | undefined }) => (
  <p class="doc-above">
    <a href={path}>{title}</a>
  </p>
)

/** A part of the documentation that has all words of a query. */
interface DocHit {
  path: string
  /** The page and, within it, the part. */
  page: string
  title: string
  /** The text around the first word. */
  excerpt: string
}

const MAX_HITS = 30
const EXCERPT_CHARACTERS = 160

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean)

/** The parts of the pages that have all words of a query: first those that are named so. */
function searchDocs(pages: readonly DocPage[], query: string): DocHit[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = pages.flatMap((page) => {
    const own = { id: '', title: page.title, depth: 0, text: page.description }
    return [own, ...page.sections].flatMap(({ id, title, text }) => {
      const score = scoreOf(words, `${title} ${id}`.toLowerCase(), `${page.title} ${text}`.toLowerCase())
      if (score === 0) return []
      const hit = {
        path: id === '' ? page.path : `${page.path}#${id}`,
        page: page.title,
        title,
        excerpt: excerptOf(text, words),
      }
      return [{ score, hit }]
    })
  })
  const seen = new Set<string>()
  return found
    .sort((a, b) => b.score - a.score)
    .flatMap(({ hit }) => {
      if (seen.has(hit.path)) return []
      seen.add(hit.path)
      return [hit]
    })
    .slice(0, MAX_HITS)
}

/** 0 unless every word occurs; words in the name count most, whole names more than parts. */
function scoreOf(words: string[], name: string, text: string): number {
  let score = 0
  for (const word of words) {
    if (name === word || name.split(/[^\p{L}\p{N}_]+/u).includes(word)) score += 6
    else if (name.includes(word)) score += 4
    else if (text.includes(word)) score += 1
    else return 0
  }
  return score
}

function excerptOf(text: string, words: string[]): string {
  const clean = text.replace(/\s+/g, ' ').trim()
  const places = words.map((word) => clean.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, clean.length) - EXCERPT_CHARACTERS / 3)
  const cut = places.length === 0 ? 0 : Math.floor(from)
  const part = clean.slice(cut, cut + EXCERPT_CHARACTERS)
  return `${cut > 0 ? '…' : ''}${part}${cut + EXCERPT_CHARACTERS < clean.length ? '…' : ''}`
}
