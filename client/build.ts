/**
 * Builds the browser client into `client/dist`: hashed files, compressed once, and the page that loads them.
 *
 *     node client/build.ts
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type BuildOptions, type BuildResult, type Metafile } from 'esbuild'
import { stampOf } from './stamp.mjs'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'client/dist')
/** Files below this size gain nothing from compression. */
const COMPRESSED_BYTES_MIN = 512

/** The address of the built files; the server answers them as immutable. */
const BASE = '/app/'
const PAGE = 'index.html'
/** A script of its own: it shares no code with the page, and browsers look for it at one address. */
const WORKER_SOURCE = 'client/worker/service-worker.ts'
/** Files without a hash in their names. */
const PLAIN_FILES = ['icon.svg', 'icon-unread.svg', 'icon-192.png', 'icon-512.png', 'manifest.webmanifest']

/** The options that every build shares. */
export const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: { early: 'client/early.ts', main: 'client/main.tsx', style: 'client/styles/main.css' },
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['chrome111', 'firefox114', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  metafile: true,
  write: false,
  legalComments: 'none',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'file', '.png': 'file' },
  define: { HAS_WORKER: 'true' },
  logLevel: 'error',
} as const satisfies BuildOptions

/** A built file, as its bytes and compressed. */
export interface BuiltFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly gzip: Uint8Array | undefined
  readonly brotli: Uint8Array | undefined
}

/** The built files, the page and the service worker among them, and what imports what. */
export async function buildFiles(): Promise<{ files: BuiltFile[]; metafile: Metafile }> {
  const { files, metafile } = await toFiles(await build(OPTIONS))
  return { files: [...files, await buildWorker(files)], metafile }
}

/** The service worker, which knows the build that it stores: it changes with each. */
async function buildWorker(files: readonly BuiltFile[]): Promise<BuiltFile> {
  const page = files.find(({ name }) => name === PAGE)
  if (!page) throw new Error('the build has no page')
  const hashed = files.map(({ name }) => name).filter((name) => /-[A-Z0-9]{8}\.\w+$/.test(name))
  const paths = ['/', ...hashed.toSorted().map((name) => BASE + name)]
  const id = createHash('sha256').update(paths.join()).update(page.bytes).digest('hex').slice(0, 16)
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [WORKER_SOURCE],
    splitting: false,
    format: 'iife',
    define: { BUILD: JSON.stringify({ id, paths }) },
  })
  const [worker] = outputFiles
  if (!worker) throw new Error('the build has no service worker')
  return compress(['service-worker.js', worker.contents])
}

/** The files of a finished build. */
export async function toFiles(
  { outputFiles, metafile }: BuildResult<typeof OPTIONS>,
  press = compress,
): Promise<{ files: BuiltFile[]; metafile: Metafile }> {
  const built = new Map(outputFiles.map(({ path, contents }) => [relative(OUT, path), contents]))
  const page = await readFile(join(ROOT, 'client', PAGE), 'utf8')
  built.set(PAGE, new TextEncoder().encode(fillPage(page, [...built.keys()], metafile)))
  for (const name of PLAIN_FILES) built.set(name, await readFile(join(ROOT, 'client', name)))
  return { files: await Promise.all([...built].map(press)), metafile }
}

/** Names the hashed files in the page, with a preload of each file that the entries import. */
function fillPage(page: string, names: readonly string[], { outputs }: Metafile): string {
  const find = (prefix: string, extension: string) => {
    const name = names.find((one) => one.startsWith(`${prefix}-`) && one.endsWith(extension))
    if (name === undefined) throw new Error(`the build has no ${prefix}${extension}`)
    return name
  }
  const early = find('early', '.js')
  const main = find('main', '.js')
  const imports = new Set(
    [early, main]
      .flatMap((entry) => outputs[`client/dist/${entry}`]?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => BASE + relative('client/dist', path)),
  )
  const preloads = [...imports].map((address) => `<link rel="modulepreload" href="${address}">`)
  return page
    .replace('{{style}}', BASE + find('style', '.css'))
    .replace('{{early}}', BASE + early)
    .replace('{{main}}', BASE + main)
    .replace('{{preloads}}', preloads.join('\n'))
}

async function compress([name, bytes]: readonly [string, Uint8Array]): Promise<BuiltFile> {
  if (bytes.length < COMPRESSED_BYTES_MIN || extname(name) === '.png')
    return { name, bytes, gzip: undefined, brotli: undefined }
  const brotli = promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  return { name, bytes, gzip: await promisify(gzip)(bytes, { level: 9 }), brotli: await brotli }
}

/** Builds into a new folder and renames it, so that a killed or parallel build leaves no half of one. */
export async function writeClient(files: readonly BuiltFile[], stamp: string): Promise<void> {
  const beginning = `${OUT}.new-${process.pid}`
  await mkdir(beginning, { recursive: true })
  for (const { name, bytes, gzip: zipped, brotli } of files) {
    await writeFile(join(beginning, name), bytes)
    if (zipped) await writeFile(join(beginning, `${name}.gz`), zipped)
    if (brotli) await writeFile(join(beginning, `${name}.br`), brotli)
  }
  await writeFile(join(beginning, 'stamp'), stamp)
  const former = `${OUT}.old-${process.pid}`
  await rename(OUT, former).catch(ignoreMissing)
  try {
    await rename(beginning, OUT)
  } catch (error) {
    // Another build of the same sources was faster.
    if (readBuilt() !== stamp) throw error
    await rm(beginning, { recursive: true, force: true })
  }
  await rm(former, { recursive: true, force: true })
}

function readBuilt(): string | undefined {
  return readdirSync(OUT).includes('stamp') ? readFileSync(join(OUT, 'stamp'), 'utf8') : undefined
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const stamp = stampOf(ROOT)
  const { files } = await buildFiles()
  await writeClient(files, stamp)
}
