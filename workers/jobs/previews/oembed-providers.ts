/** Sites that describe their pages by oEmbed. Only the words and the picture of an answer are used, never its HTML. */

/** A site, and the address of its descriptions. */
export interface OembedProvider {
  /** Hosts of pages, in lower case; each with and without `www.`. */
  readonly hosts: readonly string[]
  readonly endpoint: string
}

/** Sites whose pages say little to programs. */
export const OEMBED_PROVIDERS: readonly OembedProvider[] = [
  {
    hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be'],
    endpoint: 'https://www.youtube.com/oembed',
  },
  { hosts: ['vimeo.com', 'player.vimeo.com'], endpoint: 'https://vimeo.com/api/oembed.json' },
  { hosts: ['open.spotify.com'], endpoint: 'https://open.spotify.com/oembed' },
  { hosts: ['soundcloud.com'], endpoint: 'https://soundcloud.com/oembed' },
]

/** The address that describes a page; undefined if its site is not among them. */
export function findDescription(page: string, providers: readonly OembedProvider[]): string | undefined {
  const { host, pathname } = new URL(page)
  const provider = providers.find(({ hosts }) => hosts.includes(host.replace(/^www\./, '')))
  if (!provider || pathname === '/') return undefined
  return `${provider.endpoint}?${new URLSearchParams({ url: page, format: 'json' })}`
}
