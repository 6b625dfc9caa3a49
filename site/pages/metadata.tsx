import { DataBlock } from './document.tsx'
import type { DescribeOnSite } from './schema-org.ts'

/** The description of a page for search engines and networks beyond its title and description. */
export interface PageAbout {
  /** The one address of the page: its path, with a query only where that makes another page. */
  path: string
  /** Set if it differs from that of the page. */
  title?: string
  /** The picture that stands for the page where it is shared. */
  image?: { path: string; alt: string; width?: number; height?: number } | undefined
  /** The same content in other forms. */
  alternates?: readonly { type: string; path: string; title: string }[]
  /** The subject of the page in the words of schema.org. */
  data?: readonly DescribeOnSite[]
}

interface MetadataProps extends PageAbout {
  title: string
  site_url: string
  description: string
  /** A simulated world is not for search engines. */
  isSimulated: boolean
}

/** The elements of the head that describe a page to others than its reader: canonical address, Open Graph, schema.org. */
export function Metadata(props: MetadataProps) {
  const { site_url, path, title, description, image, alternates = [], data = [], isSimulated } = props
  const address = site_url + path
  return (
    <>
      <link rel="canonical" href={address} />
      {isSimulated && <meta name="robots" content="noindex" />}
      <meta property="og:site_name" content="Holdshort" />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content="en" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      {image && (
        <>
          <meta property="og:image" content={site_url + image.path} />
          {image.width && <meta property="og:image:width" content={String(image.width)} />}
          {image.height && <meta property="og:image:height" content={String(image.height)} />}
          <meta property="og:image:alt" content={image.alt} />
        </>
      )}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      {image && <meta name="twitter:image" content={site_url + image.path} />}
      {alternates.map((alternate) => (
        <link rel="alternate" type={alternate.type} href={site_url + alternate.path} title={alternate.title} />
      ))}
      {data.length > 0 && (
        <DataBlock value={{ '@context': 'https://schema.org', '@graph': data.map((describe) => describe(site_url)) }} />
      )}
    </>
  )
}
