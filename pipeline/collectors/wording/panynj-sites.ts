/** Each airport of the Port Authority has a site of its own; its feeds answer to that site's pages. */
export const PANYNJ_SITES: Record<string, string> = {
  JFK: 'https://www.jfkairport.com',
  LGA: 'https://www.laguardiaairport.com',
  EWR: 'https://www.newarkairport.com',
}
