/**
 * Builds the browser client into `client/dist`: hashed files, compressed once, and the page that loads them; and beside
 * it the files of the API's reference.
 *
 *     node client/build.ts
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, transform } from 'esbuild'
import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown'
import { logoSvg } from '../packages/look/logo.ts'
import { clientTokens, colorOf, TYPEFACE_STAND_IN } from '../packages/look/tokens.ts'
import { catalogueOf } from '../packages/texts/read-po.ts'
import { stampOf } from './stamp.mjs'
import { readTypeface } from './typeface.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'client/dist')
/** Files below this size gain nothing from compression. */
const COMPRESSED_BYTES_MIN = 512

/** The address of the built files; the server answers them as immutable. */
const BASE = '/app/'
const PAGE = 'index.html'
const STYLE_SOURCE = 'client/styles/main.css'
/** The page asks for these styles after its first paint. */
const LATER_STYLE_SOURCE = 'client/styles/later.css'
/** The translations, a file for each language. */
const CATALOGUES = 'client/texts/catalogues'
/** Asks for the modules: the page's one script that is none. */
const LOAD_SOURCE = 'client/load.ts'
/** A script of its own: it shares no code with the page, and browsers look for it at one address. */
const WORKER_SOURCE = 'client/worker/service-worker.ts'
/** The files of Swagger UI that the API's reference at `/docs` is made of. */
const REFERENCE_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
]
/** Files without a hash in their names. */
const PICTURES = ['icon-192.png', 'icon-512.png']
const MANIFEST = 'manifest.webmanifest'

const TARGET = ['chrome111', 'firefox114', 'safari16.4']

/**
 * The files for the code. With one for each `import()`, the code that views share would lie in dozens of small files,
 * which compress badly: 163 KB in 94 files instead of 127 KB in 4.
 */
const GROUPS = [
  {
    name: 'begin',
    test: /client\/(?:early|app\/early-requests|texts\/language)\.ts$|packages\/texts\/languages\.ts$/,
    priority: 4,
  },
  { name: 'first', tags: ['$initial' as const], priority: 3 }, // Everything that the entries import.
  {
    // The composer, the menus and the tools of messages, which are loaded after the first view.
    name: 'writing',
    test: /client\/(?:features\/(?:composer|conversation|emoji|message|notifications|topics)\/(?!dialogs|picker|widget)|features\/channels\/channel-actions|ui\/(?:open-menu|sound)|shell\/(?:run-later|show-notification|close-read)|app\/(?:(?:keep|open)-copy|copy-parts|emoji-table|presence-reporter|status-end|typing-notifier|uploads)|store\/(?:derived\/notices|emoji\/emoji-groups))|packages\/(?:client\/src\/(?:upload|transports\/(?:long-poll|server-sent-events))|rules\/notifications)/,
    priority: 2,
  },
  {
    name: 'rare',
    test: /\/client\/(?!features\/welcome)(?:app|features|shell|store|ui)\/|packages\/rules\//,
    priority: 1,
  },
]

/** A built file, as its bytes and compressed. */
interface BuiltFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly gzip?: Uint8Array
  readonly brotli?: Uint8Array
}

interface Built {
  /** The page and the service worker among them. */
  readonly files: readonly BuiltFile[]
  /** The names of the scripts that the page loads first. */
  readonly first: readonly string[]
}

/** `isForDevelopment`: readable, not compressed, without a service worker, and with a script that loads it again. */
export async function buildFiles({ isForDevelopment = false } = {}): Promise<Built> {
  const typeface = await readTypeface(BASE)
  const [style, laterStyle] = await Promise.all([
    buildStyle('style', STYLE_SOURCE, TYPEFACE_STAND_IN + clientTokens()),
    buildStyle('later', LATER_STYLE_SOURCE, typeface.rules),
  ])
  const catalogues = await readCatalogues()
  const scripts = await buildScripts(isForDevelopment, {
    LATER_STYLE: BASE + laterStyle.name,
    CATALOGUES: Object.fromEntries(catalogues.map(({ language, name }) => [language, BASE + name])),
  })
  const load = await buildLoad(!isForDevelopment)
  const source = await readFile(join(ROOT, 'client', PAGE), 'utf8')
  const { page, first } = fillPage(source, load, scripts, style.name)
  const code = [load, ...scripts].map(({ fileName: name, code: text }) => ({ name, text }))
  const hashed = [style, laterStyle, ...code]
  const texts = [...hashed, { name: PAGE, text: page }]
  if (!isForDevelopment) {
    const names = [...hashed.map(({ name }) => name), ...typeface.main]
    texts.push({ name: 'service-worker.js', text: await buildWorker(names, page) })
  }
  texts.push(
    ...catalogues,
    // For the pages of the server, which put it before their own rules.
    { name: `typeface-${hashOf(typeface.rules)}.css`, text: typeface.rules },
    { name: 'icon.svg', text: logoSvg() },
    { name: 'icon-unread.svg', text: logoSvg({ badge: true }) },
    { name: MANIFEST, text: fillManifest(await readFile(join(ROOT, 'client', MANIFEST), 'utf8')) },
  )
  const files = texts.map(({ name, text }): BuiltFile => ({ name, bytes: new TextEncoder().encode(text) }))
  files.push(...typeface.files)
  for (const name of PICTURES) files.push({ name, bytes: await readFile(join(ROOT, 'client', name)) })
  // Compressing takes longer than the build.
  return { files: isForDevelopment ? files : await Promise.all(files.map(compress)), first }
}

/** A page loads the catalogue of its language alone, and none for English. */
async function readCatalogues() {
  const files = readdirSync(join(ROOT, CATALOGUES)).filter((name) => name.endsWith('.po'))
  return Promise.all(
    files.map(async (file) => {
      const language = file.slice(0, -'.po'.length)
      const text = JSON.stringify(catalogueOf(await readFile(join(ROOT, CATALOGUES, file), 'utf8')))
      return { language, name: `${language}-${hashOf(text)}.json`, text }
    }),
  )
}

/** `constants` are addresses of other files, by their names in the code. */
async function buildScripts(
  isForDevelopment: boolean,
  constants: Readonly<Record<string, unknown>>,
): Promise<OutputChunk[]> {
  const values = Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)] as const)
  const entries = { early: 'client/early.ts', main: 'client/main.tsx' }
  return bundle(
    {
      // A service worker would store each build.
      transform: {
        define: { HAS_WORKER: String(!isForDevelopment), ...Object.fromEntries(values) },
      },
      input: isForDevelopment ? { ...entries, reload: 'client/reload.ts' } : entries,
    },
    {
      format: 'es',
      minify: !isForDevelopment,
      sourcemap: isForDevelopment && 'inline',
      codeSplitting: { groups: GROUPS },
    },
  )
}

async function buildLoad(minify: boolean): Promise<OutputChunk> {
  const [load] = await bundle({ input: { load: LOAD_SOURCE } }, { format: 'iife', minify })
  if (!load) throw new Error('the build has no script of the page')
  return load
}

/** The service worker, which knows the build that it stores: it changes with each. */
async function buildWorker(names: readonly string[], page: string): Promise<string> {
  const paths = ['/', ...names.toSorted().map((name) => BASE + name)]
  const id = createHash('sha256').update(paths.join()).update(page).digest('hex').slice(0, 16)
  const [worker] = await bundle(
    { transform: { define: { BUILD: JSON.stringify({ id, paths }) } }, input: WORKER_SOURCE },
    { format: 'iife', minify: true },
  )
  if (!worker) throw new Error('the build has no service worker')
  return worker.code
}

async function bundle(input: InputOptions, output: OutputOptions): Promise<OutputChunk[]> {
  const made = await rolldown({
    cwd: ROOT,
    platform: 'browser',
    tsconfig: false, // An image has none.
    logLevel: 'silent', // Errors are thrown.
    ...input,
    transform: { target: TARGET, jsx: { runtime: 'automatic', importSource: 'preact' }, ...input.transform },
  })
  try {
    const names = '[name]-[hash].js'
    const options = { entryFileNames: names, chunkFileNames: names, hashCharacters: 'base36' } as const
    const { output: files } = await made.generate({ ...options, comments: { legal: false }, ...output })
    return files.filter((file) => file.type === 'chunk')
  } finally {
    await made.close()
  }
}

/** One style sheet: `before` are rules that are made here, and stand before those of the file. */
async function buildStyle(
  name: string,
  source: string,
  before: string,
): Promise<{ name: string; text: string }> {
  const options = { minify: true, target: TARGET, logLevel: 'error' } as const
  const [made, { outputFiles }] = await Promise.all([
    transform(before, { loader: 'css', ...options }),
    build({
      absWorkingDir: ROOT,
      entryPoints: { style: source },
      outdir: OUT,
      bundle: true,
      write: false,
      ...options,
    }),
  ])
  const text = made.code + (outputFiles[0]?.text ?? '')
  return { name: `${name}-${hashOf(text)}.css`, text }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** Names the hashed files in the page. */
function fillPage(
  page: string,
  load: OutputChunk,
  scripts: readonly OutputChunk[],
  style: string,
): { page: string; first: string[] } {
  const entries = scripts.filter(({ isEntry }) => isEntry)
  const find = (entry: string) => {
    const script = entries.find(({ name }) => name === entry)
    if (!script) throw new Error(`the build has no ${entry}`)
    return BASE + script.fileName
  }
  const first = new Set([load.fileName, ...entries.map(({ fileName }) => fileName)])
  for (const name of first)
    for (const imported of scripts.find(({ fileName }) => fileName === name)?.imports ?? [])
      first.add(imported)
  const reload = entries.some(({ name }) => name === 'reload')
  const filled = page
    .replace('{{style}}', BASE + style)
    .replace('{{load}}', BASE + load.fileName)
    .replace('{{early}}', find('early'))
    .replace('{{main}}', find('main'))
    .replace('{{reload}}\n', reload ? `<script type="module" src="${find('reload')}"></script>\n` : '')
  return { page: filled, first: [...first] }
}

/** The colors that browsers give to the window of the installed client. */
function fillManifest(manifest: string): string {
  return manifest
    .replace('{{accent}}', colorOf('accent', 'light'))
    .replace('{{ground}}', colorOf('ground', 'light'))
}

async function compress({ name, bytes }: BuiltFile): Promise<BuiltFile> {
  const isCompressed = ['.png', '.woff2'].includes(extname(name))
  if (bytes.length < COMPRESSED_BYTES_MIN || isCompressed) return { name, bytes }
  const brotli = promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  return { name, bytes, gzip: await promisify(gzip)(bytes, { level: 9 }), brotli: await brotli }
}

/** Builds into a new folder and renames it, so that a killed or parallel build leaves no half of one. */
export async function writeClient(files: readonly BuiltFile[], stamp: string): Promise<void> {
  const beginning = `${OUT}.new-${process.pid}`
  await mkdir(join(beginning, 'docs'), { recursive: true })
  for (const { name, bytes, gzip: zipped, brotli } of files) {
    await writeFile(join(beginning, name), bytes)
    if (zipped) await writeFile(join(beginning, `${name}.gz`), zipped)
    if (brotli) await writeFile(join(beginning, `${name}.br`), brotli)
  }
  const swagger = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  for (const name of REFERENCE_FILES) await copyFile(join(swagger, name), join(beginning, 'docs', name))
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
