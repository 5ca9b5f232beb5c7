/** Serves pages beside the operations: health, the reference, and images. */

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { logoSvg } from '../../packages/look/logo.ts'
import { pageTokens, TYPEFACE_STAND_IN } from '../../packages/look/tokens.ts'
import type { Picture } from '../../db/files/pictures.ts'
import { DEFAULT_ICON_URL } from '../views/organization-pictures-view.ts'
import { UNKNOWN_AVATAR_URL } from '../views/user-view.ts'
import { describeEmoji, EMOJI_DATA_PATH } from '../views/emoji-data.ts'
import { fail } from '../errors/api-error.ts'
import { EXTRA_EMOJI_NAME, type Names } from '../views/names.ts'
import { describeApi } from '../api/openapi.ts'
import type { Operation } from '../api/operation.ts'
import { LIVE_PATH, READY_PATHS } from '../measures/health-paths.ts'
import { METRICS_PATH, type MetricsRequest } from '../measures/may-read-metrics.ts'
import { METRICS_TYPE } from '../measures/metric.ts'
import { VERSION } from '../measures/version.ts'
import { ownBytes } from '../views/json-pieces.ts'
import { NO_PICTURE_URL } from '../domain/messages/link-previews.ts'
import { isDrawnPath } from '../domain/files/drawn-pictures.ts'
import { readLocalPath } from '../domain/text/local-path.ts'
import { type PictureId, type PictureVariant, readPicturePath } from '../domain/files/pictures.ts'
import { type AcceptedCodings, readTypefaceRules } from './client-files.ts'
import { decodeQuery } from './decode-form.ts'
import { LOG_IN_PATH, PASSWORD_SETTINGS_PATH } from './forms/paths.ts'
import {
  COPY_SCRIPT_PATH,
  DESKTOP_TOKEN_SCRIPT_PATH,
  PASSKEYS_SCRIPT_PATH,
  redirectPage,
  STYLESHEET_PATH,
  TAB_ICON_PATH,
} from './html.ts'
import type { Page } from './reply.ts'

/** The dependencies of the pages. */
export interface PagesContext {
  readonly operations: readonly Operation[]
  readonly names: Names
  /** The page or a file of the browser client. */
  readonly findClientFile: (path: string, request: AcceptedCodings) => Page | undefined
  readonly findPicture: (id: PictureId, variant: PictureVariant) => Promise<Picture | undefined>
  /** A picture that the server draws, if it made the path. */
  readonly findDrawnPicture: (path: string) => Promise<Picture | undefined>
  /** Whether the node has lately reached the database. */
  readonly isReady: () => boolean
  /** Whether a request may read the metrics; to others they do not exist. */
  readonly mayReadMetrics: (request: MetricsRequest) => boolean
  readonly renderMetrics: () => Promise<string>
}

/** A request for a page: some differ by who asks, or by what the browser reads. */
export type PageRequest = MetricsRequest & AcceptedCodings & { readonly query: string }

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const SVG = 'image/svg+xml'

type MakePage = (request: PageRequest) => Page | Promise<Page>

/** The reference as a document for programs. */
const API_DOCUMENT_PATH = '/api/v1/openapi.json'

/** Nothing from other servers, and only our own scripts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** These change only with a release, and a browser may see that some minutes late. */
const CACHED = { 'Cache-Control': 'public, max-age=300' }

/** Search engines may read the first page; all else is for people, or names a person. */
const ROBOTS: Page = {
  status: 200,
  contentType: 'text/plain; charset=utf-8',
  body: 'User-agent: *\nAllow: /$\nDisallow: /\n',
  headers: CACHED,
}

/** Large pages that few people read, so that few are enough for an address in a minute. */
export function isDocumentPath(path: string): boolean {
  return path === API_DOCUMENT_PATH || path.startsWith('/docs')
}

const FILE_HEADERS = {
  ...CACHED,
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'same-origin',
}

/** Finds the page of a path. */
export function createPages({
  operations,
  names,
  findClientFile,
  findPicture,
  findDrawnPicture,
  isReady,
  mayReadMetrics,
  renderMetrics,
}: PagesContext): (path: string, request: PageRequest) => Page | Promise<Page> | undefined {
  const built = (name: string) => new URL(`../../client/dist/docs/${name}`, import.meta.url)
  const reference = file(HTML, new URL('reference/index.html', import.meta.url))
  const extraEmoji = file('image/png', new URL('static/parley.png', import.meta.url))
  const emojiNames = compressed(() => cachedPage(describeEmoji()))
  const pages = new Map<string, MakePage>([
    [LIVE_PATH, () => health(200, 'live')],
    ...READY_PATHS.map((path): [string, MakePage] => [
      path,
      () => (isReady() ? health(200, 'ready') : health(503, 'not ready')),
    ]),
    [API_DOCUMENT_PATH, compressed(() => describe(operations, names))],
    ['/docs', reference],
    ['/docs/', reference],
    ['/docs/start.js', file(JAVASCRIPT, new URL('reference/start.js', import.meta.url))],
    ['/docs/swagger-ui-bundle.js', file(JAVASCRIPT, built('swagger-ui-bundle.js'))],
    ['/docs/swagger-ui.css', file('text/css; charset=utf-8', built('swagger-ui.css'))],
    [STYLESHEET_PATH, compressed(readStylesheet)],
    [TAB_ICON_PATH, () => ({ status: 200, contentType: SVG, body: logoSvg(), headers: FILE_HEADERS })],
    [PASSKEYS_SCRIPT_PATH, file(JAVASCRIPT, new URL('static/passkeys.js', import.meta.url))],
    [COPY_SCRIPT_PATH, file(JAVASCRIPT, new URL('static/copy.js', import.meta.url))],
    [DESKTOP_TOKEN_SCRIPT_PATH, file(JAVASCRIPT, new URL('static/desktop-token.js', import.meta.url))],
    // Rendered messages refer to these.
    ['/static/emoji/parley.png', extraEmoji],
    ['/static/images/loading/loader-black.svg', file(SVG, new URL('static/loader.svg', import.meta.url))],
    [EMOJI_DATA_PATH, emojiNames],
    // Clients that do not ask for the address look here for the same.
    ['/static/generated/emoji/emoji_api.json', emojiNames],
    // Programs and people look here by themselves.
    ['/login', toLogIn],
    ['/login/', toLogIn],
    ['/.well-known/change-password', () => redirectPage(PASSWORD_SETTINGS_PATH)],
    ['/favicon.ico', file('image/png', new URL('../../packages/look/logo.png', import.meta.url))],
    ['/robots.txt', () => ROBOTS],
    [NO_PICTURE_URL, file('image/png', new URL('static/page.png', import.meta.url))],
    [UNKNOWN_AVATAR_URL, file('image/png', new URL('static/unknown-user.png', import.meta.url))],
    [DEFAULT_ICON_URL, file('image/png', new URL('static/organization.png', import.meta.url))],
    // Clients look here for the emoji of a reaction.
    [`/static/generated/emoji/images/emoji/unicode/${EXTRA_EMOJI_NAME}.png`, extraEmoji],
  ])
  return (path, request) => {
    if (path === METRICS_PATH) return mayReadMetrics(request) ? metricsPage(renderMetrics) : undefined
    if (isDrawnPath(path)) return findDrawnPicture(path).then(picturePage)
    const picture = readPicturePath(path)
    if (picture) return findPicture(picture.id, picture.variant).then(picturePage)
    return pages.get(path)?.(request) ?? findClientFile(path, request)
  }
}

/** Leads to the log-in page and, after that, to the `next` of the request. */
function toLogIn({ query }: PageRequest): Page {
  const fields = new Map<string, string>()
  decodeQuery(query, fields)
  const next = readLocalPath(fields.get('next') ?? '')
  return redirectPage(next === undefined ? LOG_IN_PATH : `${LOG_IN_PATH}?next=${encodeURIComponent(next)}`)
}

async function metricsPage(render: () => Promise<string>): Promise<Page> {
  return {
    status: 200,
    contentType: METRICS_TYPE,
    body: await render(),
    headers: { 'Cache-Control': 'no-store' },
  }
}

/** An address always means the same picture, so clients may cache it for ever. */
function picturePage(picture: Picture | undefined): Page {
  if (!picture) throw fail('ENDPOINT_UNKNOWN')
  const { contentType, sha256, bytes } = picture
  return {
    status: 200,
    contentType,
    body: bytes,
    headers: {
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'",
      ETag: `"${sha256}"`,
    },
  }
}

/** Makes a value at the first call and caches it; a failure is not cached. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    if (value) return value
    value = make()
    value.catch(() => {
      value = undefined
    })
    return value
  }
}

/** A page of text that is made and compressed at the first request: then an answer is a copy of its bytes. */
function compressed(make: () => Page | Promise<Page>): MakePage {
  const find = once(async () => {
    const page = await make()
    const body = Buffer.from(page.body)
    const plain = { ...page, body, headers: { ...page.headers, Vary: 'Accept-Encoding' } }
    const zipped = ownBytes(await promisify(gzip)(body))
    const headers = { ...plain.headers, 'Content-Encoding': 'gzip' }
    return { plain, zipped: { ...plain, body: zipped, headers } }
  })
  return async ({ acceptsGzip }) => {
    const { plain, zipped } = await find()
    return acceptsGzip ? zipped : plain
  }
}

function file(contentType: string, url: URL): MakePage {
  const read = async () => ({ status: 200, contentType, body: await readFile(url), headers: FILE_HEADERS })
  return contentType === 'image/png' ? once(read) : compressed(read)
}

async function readStylesheet(): Promise<Page> {
  const rules = await readFile(new URL('static/page.css', import.meta.url), 'utf8')
  return {
    status: 200,
    contentType: 'text/css; charset=utf-8',
    body: pageTokens() + TYPEFACE_STAND_IN + (await readTypefaceRules()) + rules,
    headers: FILE_HEADERS,
  }
}

function describe(operations: readonly Operation[], names: Names): Page {
  return cachedPage(describeApi({ operations, names, version: VERSION }))
}

function cachedPage(body: unknown): Page {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body), headers: CACHED }
}

/** The answer to a probe: its version shows which release answers during an upgrade. */
function health(code: number, status: string): Page {
  return {
    status: code,
    contentType: 'application/json',
    body: JSON.stringify({ status, version: VERSION }),
    headers: { 'Cache-Control': 'no-store' },
  }
}
