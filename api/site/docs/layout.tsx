import type { ComponentChildren } from 'preact'
import { type DocPage, GROUPS } from './doc-page.ts'

interface LayoutProps {
  pages: readonly DocPage[]
  /** The address of the page that is shown. */
  path: string
  /** The text in the search field. */
  query?: string
  page?: DocPage
  children: ComponentChildren
}

/** The frame of a page of the documentation: search, all pages, the contents of this one. */
export function DocLayout({ pages, path, query = '', page, children }: LayoutProps) {
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
        {page?.isPart && <Above pages={pages} page={page} />}
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
                .filter((one) => one.group === group && !one.isPart)
                .map((one) => (
                  <li>
                    <a href={one.path} aria-current={one.path === path ? 'page' : undefined}>
                      {one.title}
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

/** The way up from a page that is part of another. */
function Above({ pages, page: { path } }: { pages: readonly DocPage[]; page: DocPage }) {
  const above = path.split('/').slice(0, -1).join('/')
  return (
    <p class="doc-above">
      <a href={above}>{pages.find((one) => one.path === above)?.title}</a>
    </p>
  )
}
