/** The browser client: its page at `/`, and its files, compressed when they were built. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type LanguageCode, LANGUAGES } from '../../packages/texts/languages.ts'
import type { Page } from './reply.ts'

const FOLDER = join(import.meta.dirname, '../../client/dist')
const BASE = '/app/'
const PAGE = 'index.html'
/** A service worker may serve only addresses below its own. */
const WORKER = 'service-worker.js'
const MANIFEST = 'manifest.webmanifest'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/**
 * Scripts and styles of this server only, no inline ones, and markup from text only by the client's one policy.
 * `blob:` is for pictures that are being uploaded.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types parley-html',
].join('; ')

/** Whether `npm run dev` builds the client anew while the server runs. */
const IS_WATCHED = process.execArgv.some((flag) => flag.endsWith('/client/watch.ts'))

/** The compressions that a request accepts. */
export interface AcceptedCodings {
  readonly acceptsGzip: boolean
  readonly acceptsBrotli: boolean
}

/** The rules of the client's typeface, for pages without the client. Without a build these take a font of the system. */
export async function readTypefaceRules(): Promise<string> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  const found = names.find((name) => name.startsWith('typeface-') && name.endsWith('.css'))
  return found === undefined ? '' : readFile(join(FOLDER, found), 'utf8')
}

/** Whether a path is of the client, so that its answer may be compressed. */
export function isClientPath(path: string): boolean {
  return path === '/' || path === `/${WORKER}` || path.startsWith(BASE)
}

interface ClientFile {
  readonly bytes: Uint8Array
  readonly gzip: Uint8Array | undefined
  readonly brotli: Uint8Array | undefined
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Loads the built client, some 700 KiB, and finds its files by path. Without a build there is no client: the API
 * serves all the same. `fileOrigin` is the origin of an object store to which the server redirects browsers; `language` is
 * that of the organization, if it has chosen one: `client/texts/language.ts` reads it from the page.
 */
export function loadClient(
  fileOrigin: string | undefined,
  language: () => LanguageCode | undefined,
): (path: string, request: AcceptedCodings) => Page | undefined {
  let files = existsSync(FOLDER) ? readFiles(fileOrigin) : new Map<string, ClientFile>()
  return (path, { acceptsBrotli, acceptsGzip }) => {
    if (IS_WATCHED && path === '/' && existsSync(FOLDER)) files = readFiles(fileOrigin)
    const file = files.get(path === '/' ? pageIn(language()) : path)
    if (!file) return undefined
    const { bytes, gzip, brotli, contentType, headers } = file
    const [body, coding] =
      acceptsBrotli && brotli
        ? [brotli, { 'Content-Encoding': 'br' }]
        : acceptsGzip && gzip
          ? [gzip, { 'Content-Encoding': 'gzip' }]
          : [bytes, {}]
    return { status: 200, contentType, body, headers: { ...headers, ...coding } }
  }
}

function readFiles(fileOrigin: string | undefined): Map<string, ClientFile> {
  const files = new Map<string, ClientFile>()
  const names = new Set(readdirSync(FOLDER))
  const read = (name: string) => (names.has(name) ? readFileSync(join(FOLDER, name)) : undefined)
  for (const name of names) {
    const contentType = CONTENT_TYPES[extname(name)]
    const bytes = contentType && read(name)
    if (!contentType || !bytes) continue
    const file = { bytes, gzip: read(`${name}.gz`), brotli: read(`${name}.br`), contentType }
    if (name === PAGE) addPages(files, file, fileOrigin)
    else if (name === WORKER) files.set(`/${name}`, { ...file, headers: workerHeaders(bytes) })
    else files.set(BASE + name, { ...file, headers: name === MANIFEST ? revalidated(bytes) : IMMUTABLE })
  }
  return files
}

/** The page, and one for each language that an organization may choose. */
function addPages(
  files: Map<string, ClientFile>,
  file: Omit<ClientFile, 'headers'>,
  fileOrigin: string | undefined,
): void {
  files.set('/', { ...file, headers: pageHeaders(Buffer.from(file.bytes), fileOrigin) })
  for (const [language, { direction }] of Object.entries(LANGUAGES)) {
    const page = Buffer.from(file.bytes)
      .toString()
      .replace('<html>', `<html lang="${language}" dir="${direction}">`)
    const bytes = Buffer.from(page)
    files.set(pageIn(language as LanguageCode), {
      ...file,
      bytes,
      ...(file.gzip && { gzip: gzipSync(bytes) }),
      ...(file.brotli && { brotli: brotliCompressSync(bytes) }),
      headers: pageHeaders(bytes, fileOrigin),
    })
  }
}

/** No request has such a path. */
const pageIn = (language: LanguageCode | undefined) => (language === undefined ? '/' : `page in ${language}`)

/** Names have a hash of their content, except for the icons, which do not change. */
const IMMUTABLE = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding',
}

/** A browser asks each time whether there is a new release. */
function revalidated(bytes: Uint8Array): Record<string, string> {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: `W/"${version}"` }
}

/** The worker fetches from this server only, and runs no other script. */
function workerHeaders(bytes: Uint8Array): Record<string, string> {
  const policy = "default-src 'none'; connect-src 'self'; img-src 'self'"
  return { ...revalidated(bytes), 'Content-Security-Policy': policy }
}

/**
 * Browsers ask for the modules of the page while its script is still on its way, and put them where imports find them:
 * `client/load.ts` says why no tag of the page may ask for them.
 */
function preloadsOf(page: string): { readonly Link?: string } {
  const modules = [...page.matchAll(/ data-(?:early|main)="([^"]+)"/g)]
  if (modules.length === 0) return {}
  return { Link: modules.map(([, address = '']) => `<${address}>; rel=modulepreload`).join(', ') }
}

/** The headers of the client's page. */
export function pageHeaders(bytes: Buffer, fileOrigin: string | undefined): Record<string, string> {
  const origin = fileOrigin === undefined ? '' : ` ${fileOrigin}`
  const policy = CONTENT_SECURITY_POLICY.replaceAll(/((?:img|media)-src [^;]*)/g, `$1${origin}`)
  return {
    ...revalidated(bytes),
    'Content-Security-Policy': policy,
    ...preloadsOf(bytes.toString()),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
