import type { ComponentChildren } from 'preact'

/** A part of a page with an address of its own: what its contents list and what the search finds. */
export interface Section {
  /** The anchor. It is made from the name of the thing, so that it stays. */
  id: string
  title: string
  /** 2 or 3: how deep it stands in the contents; 0 for parts that only the search knows. */
  depth: number
  /** The searched text besides the title. */
  text: string
}

/** A part with a heading in the contents. */
export const section = (id: string, title: string, text = ''): Section => ({ id, title, depth: 2, text })

/** A part that only the search knows. */
export const found = (id: string, title: string, text: string): Section => ({ id, title, depth: 0, text })

/** One page of the documentation. */
export interface DocPage {
  path: string
  title: string
  description: string
  group: (typeof GROUPS)[number]
  sections: Section[]
  body: ComponentChildren
  /** Pages below another are listed on that page only. */
  isPart?: boolean
}

export const GROUPS = ['Begin', 'Reference', 'Understand', 'Operate'] as const

/** The anchor of a title, as the sites of source code make it. */
export const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
