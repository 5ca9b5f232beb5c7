/** Fetches what an address shows, through the guarded way out: a page's words and picture, or a picture. */

import type { LinkPreview, PreviewPicture } from '../../../server/domain/messages/link-previews.ts'
import type { GuardedAnswer, GuardedFetch } from '../../../server/outbound/guarded-fetch.ts'
import type { ReadBounds } from '../../../server/outbound/read-unpacked.ts'
import type { PageReader } from '../../pool/page-reader.ts'
import { tidy } from '../../pool/pages/read-page.ts'
import { findDescription, type OembedProvider } from './oembed-providers.ts'

/** Bytes of a page that are read: heads are at its start, and a few programs write 500 KB of script into one. */
const PAGE_BYTES_MAX = 1024 * 1024
/** Bytes of a picture: photographs of phones have some five million. */
const PICTURE_BYTES_MAX = 8 * 1024 * 1024
const DESCRIPTION_BYTES_MAX = 64 * 1024
/** Redirects of one address; shorteners need two or three. */
const REDIRECTS_MAX = 5
const TITLE_LENGTH_MAX = 200
const USER_AGENT = 'Mozilla/5.0 (compatible; ParleyLinkPreview/1)'
const PAGE = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const PICTURE = /^image\/(?:png|jpeg|gif|webp)\s*(?:;|$)/i
const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]{1,40}\+)?json\s*(?:;|$)/i

/** Milliseconds of one request. */
export interface FetchLimits {
  readonly totalMsMax: number
  readonly firstByteMsMax: number
}

/** As the API family has it; people see their message at once, and wait only for its preview. */
export const FETCH_LIMITS: FetchLimits = { totalMsMax: 15_000, firstByteMsMax: 15_000 }

/** The parts that fetching needs. */
export interface PreviewSources {
  readonly fetch: Pick<GuardedFetch, 'fetch'>
  readonly pages: Pick<PageReader, 'read'>
  /** Makes a thumbnail of a picture's bytes and stores it; rejects for bytes that are no picture. */
  readonly storePicture: (bytes: Uint8Array, use: LinkPreview['kind']) => Promise<PreviewPicture>
  readonly providers: readonly OembedProvider[]
  readonly limits: FetchLimits
}

/** The preview of an address; undefined if it has none. Without `arePicturesShown` pictures have none. */
export async function fetchPreview(
  url: string,
  sources: PreviewSources,
  arePicturesShown: boolean,
): Promise<LinkPreview | undefined> {
  const described = await describe(url, sources)
  if (described) return described
  const answer = await ask(url, sources, (type) => {
    if (PAGE.test(type)) return { bytesMax: PAGE_BYTES_MAX, isStartEnough: true }
    const isRead = arePicturesShown && PICTURE.test(type)
    return { bytesMax: isRead ? PICTURE_BYTES_MAX : 0, isStartEnough: false }
  })
  if (!answer) return undefined
  if (!PAGE.test(typeOf(answer.headers))) {
    if (answer.body.length === 0) return undefined
    return { kind: 'picture', picture: await sources.storePicture(answer.body, 'picture') }
  }
  const facts = await sources.pages.read({
    bytes: answer.body,
    contentType: typeOf(answer.headers),
    url: answer.url.href,
  })
  if (facts.title === '') return undefined
  return {
    kind: 'page',
    title: facts.title,
    description: facts.description === '' ? facts.siteName : facts.description,
    picture: await fetchPicture(facts.imageUrl, sources),
  }
}

/** The preview by oEmbed; undefined for other sites, and for an answer without a title. */
async function describe(url: string, sources: PreviewSources): Promise<LinkPreview | undefined> {
  const address = findDescription(url, sources.providers)
  if (address === undefined) return undefined
  const answer = await ask(address, sources, (type) => ({
    bytesMax: JSON_TYPE.test(type) ? DESCRIPTION_BYTES_MAX : 0,
    isStartEnough: false,
  })).catch(() => undefined) // The page itself may answer.
  const facts = answer && readDescription(answer.body)
  const title = tidy(facts?.title ?? '', TITLE_LENGTH_MAX)
  if (!facts || title === '') return undefined
  return {
    kind: 'page',
    title,
    description: tidy(facts.author, TITLE_LENGTH_MAX),
    picture: await fetchPicture(facts.imageUrl, sources),
  }
}

function readDescription(body: Buffer): { title: string; author: string; imageUrl: string } | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as Record<string, unknown> | null
    const text = (name: string) => (typeof value?.[name] === 'string' ? (value[name] as string) : '')
    return { title: text('title'), author: text('author_name'), imageUrl: text('thumbnail_url') }
  } catch {
    return undefined
  }
}

/** The picture of a page; null if it has none that can be shown: its words are worth a card. */
async function fetchPicture(url: string, sources: PreviewSources): Promise<PreviewPicture | null> {
  if (url === '') return null
  try {
    const answer = await ask(url, sources, (type) => ({
      bytesMax: PICTURE.test(type) ? PICTURE_BYTES_MAX : 0,
      isStartEnough: false,
    }))
    return answer && answer.body.length > 0 ? await sources.storePicture(answer.body, 'page') : null
  } catch {
    return null
  }
}

/** The answer with status 200; undefined for another. The body is read as far as its type allows. */
async function ask(
  url: string,
  { fetch, limits }: PreviewSources,
  boundsOf: (type: string) => ReadBounds,
): Promise<GuardedAnswer | undefined> {
  const answer = await fetch.fetch(url, {
    ...limits,
    redirectsMax: REDIRECTS_MAX,
    headers: { 'user-agent': USER_AGENT, accept: 'text/html, image/*;q=0.9, application/json;q=0.8' },
    bodyBytesMax: ({ status, headers }) =>
      status === 200 ? boundsOf(typeOf(headers)) : { bytesMax: 0, isStartEnough: false },
  })
  return answer.status === 200 ? answer : undefined
}

const typeOf = (headers: GuardedAnswer['headers']) => headers['content-type'] ?? ''
