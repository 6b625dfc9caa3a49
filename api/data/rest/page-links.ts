interface Pagination {
  page: number
  limit: number
  total_pages: number
}

/** The Link header (RFC 8288) of a page: first and last, and prev and next where they exist. */
export function pageLinks(address: string, query: Record<string, unknown>, pagination: Pagination): string {
  const { page, limit, total_pages } = pagination
  const last = Math.max(1, total_pages)
  const links: [string, number][] = [['first', 1]]
  if (page > 1) links.push(['prev', Math.min(page - 1, last)])
  if (page < last) links.push(['next', page + 1])
  links.push(['last', last])
  return links
    .map(([relation, number]) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
      parameters.set('limit', String(limit))
      parameters.set('page', String(number))
      return `<${address}?${parameters}>; rel="${relation}"`
    })
    .join(', ')
}
