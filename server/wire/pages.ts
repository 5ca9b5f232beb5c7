/** Serves pages beside the operations: health, the reference, and images. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Picture } from '../../db/pictures.ts'
import { DEFAULT_ICON_URL } from '../views/organization-pictures-view.ts'
import { UNKNOWN_AVATAR_URL } from '../views/user-view.ts'
import { describeEmoji, EMOJI_DATA_PATH } from '../views/emoji-data.ts'
import { fail } from '../errors/api-error.ts'
import { EXTRA_EMOJI_NAME, type Names } from '../views/names.ts'
import { describeApi } from '../api/openapi.ts'
import type { Operation } from '../api/operation.ts'
import { METRICS_PATH, type MetricsRequest } from '../measures/may-read-metrics.ts'
import { METRICS_TYPE } from '../measures/metric.ts'
import { isDrawnPath } from '../domain/drawn-pictures.ts'
import { type PictureId, type PictureVariant, readPicturePath } from '../domain/pictures.ts'
import type { AcceptedCodings } from './client-files.ts'
import { DESKTOP_TOKEN_SCRIPT_PATH, PASSKEYS_SCRIPT_PATH, STYLESHEET_PATH, TAB_ICON_PATH } from './html.ts'
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
export type PageRequest = MetricsRequest & AcceptedCodings

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const SVG = 'image/svg+xml'

type MakePage = () => Page | Promise<Page>

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
  const find = (name: string) => new URL(import.meta.resolve(name))
  const reference = file(HTML, new URL('reference/index.html', import.meta.url))
  const extraEmoji = file('image/png', new URL('static/parley.png', import.meta.url))
  const emojiNames = once(() => kept(describeEmoji()))
  const pages = new Map<string, MakePage>([
    ['/health/live', () => json(200, { status: 'live' })],
    [
      '/health/ready',
      () => (isReady() ? json(200, { status: 'ready' }) : json(503, { status: 'not ready' })),
    ],
    ['/api/v1/openapi.json', once(() => describe(operations, names))],
    ['/docs', reference],
    ['/docs/', reference],
    ['/docs/start.js', file(JAVASCRIPT, new URL('reference/start.js', import.meta.url))],
    ['/docs/swagger-ui-bundle.js', file(JAVASCRIPT, find('swagger-ui-dist/swagger-ui-bundle.js'))],
    ['/docs/swagger-ui.css', file('text/css; charset=utf-8', find('swagger-ui-dist/swagger-ui.css'))],
    [STYLESHEET_PATH, file('text/css; charset=utf-8', new URL('static/page.css', import.meta.url))],
    [TAB_ICON_PATH, file(SVG, new URL('static/icon.svg', import.meta.url))],
    [PASSKEYS_SCRIPT_PATH, file(JAVASCRIPT, new URL('static/passkeys.js', import.meta.url))],
    [DESKTOP_TOKEN_SCRIPT_PATH, file(JAVASCRIPT, new URL('static/desktop-token.js', import.meta.url))],
    // Rendered messages refer to these.
    ['/static/emoji/parley.png', extraEmoji],
    ['/static/images/loading/loader-black.svg', file(SVG, new URL('static/loader.svg', import.meta.url))],
    [EMOJI_DATA_PATH, emojiNames],
    // Clients that do not ask for the address look here for the same.
    ['/static/generated/emoji/emoji_api.json', emojiNames],
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
    return pages.get(path)?.() ?? findClientFile(path, request)
  }
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

/** Makes the page at the first request and caches it; a failure is not cached. */
function once(make: MakePage): MakePage {
  let page: Page | Promise<Page> | undefined
  return () => {
    page ??= make()
    if (page instanceof Promise) {
      page.catch(() => {
        page = undefined
      })
    }
    return page
  }
}

function file(contentType: string, url: URL): MakePage {
  return once(async () => ({
    status: 200,
    contentType,
    body: await readFile(url),
    headers: { ...CACHED, 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
  }))
}

function describe(operations: readonly Operation[], names: Names): Page {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return kept(describeApi({ operations, names, version }))
}

function kept(body: unknown): Page {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body), headers: CACHED }
}

function json(status: number, body: unknown): Page {
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify(body),
    headers: { 'Cache-Control': 'no-store' },
  }
}
