/** The documents name files, headings and rules that exist. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import t from 'tap'
import { readRules } from './rules.ts'

const ROOT = join(import.meta.dirname, '..')
/** Folders of the project whose names begin a path. */
const FOLDERS = [
  '.ci',
  'bench',
  'bin',
  'client',
  'db',
  'deploy',
  'docs',
  'examples',
  'packages',
  'server',
  'test',
  'workers',
]
/** Folders that a start or a build makes. */
const MADE = ['client/dist']
/** Folders without documents or sources of the project. */
const LEFT_OUT = /^(?:node_modules|\.toolchain|\.tap|\.git|dist|data|shots)$/

const findAll = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => LEFT_OUT.test(basename(path)) })
const documents = findAll('**/*.md')
const files = findAll('**/*.{ts,tsx,js,mjs,mts,css,html,md,sql,json,sh}')
const names = new Set(files.map((file) => basename(file)))

/** A path from the root, perhaps with `*`, `{a,b}` or a `<placeholder>` in it. */
const PATHS = new RegExp(
  `(?<![\\w./:@*-])(?:${FOLDERS.map((name) => name.replace('.', '\\.')).join('|')})/[\\w./*{},<>@-]+`,
  'g',
)
/** A path in code that says only its end, such as `permissions.ts` or `s3/sign.ts`. */
const ENDS = /(?<=`)[\w@./-]+\.(?:tsx?|mts|mjs|css|sql)(?=`)/g
const LINKS = /\]\(([^)\s]+)\)|src="([^"]+)"/g
/** An id in brackets, which is no link. */
const RULES = /\[([A-Z]+[0-9]+[a-z]?)\](?!\()/g

function exists(path: string): boolean {
  const pattern = path.replaceAll(/<[^>]*>/g, '*')
  if (MADE.includes(pattern)) return true
  return /[*{]/.test(pattern) ? globSync(pattern, { cwd: ROOT }).length > 0 : existsSync(join(ROOT, pattern))
}

/** Whether a file of the project, or one beside the document, ends so. */
function isEndOfFile(document: string, path: string): boolean {
  if (!path.includes('/')) return names.has(path)
  return (
    exists(path) || exists(join(dirname(document), path)) || files.some((file) => file.endsWith(`/${path}`))
  )
}

/** The anchor of a heading, as forges make it. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return text.trim().toLowerCase().replaceAll(/\s/g, '-')
}

function hasAnchor(file: string, anchor: string): boolean {
  const headings = readFileSync(join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)
  return [...headings].some(([, heading = '']) => anchorOf(heading) === anchor)
}

/** Whether a link of a document leads to a file and, if it names one, to a heading of it. */
function leads(document: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? document : normalize(join(dirname(document), path))
  return existsSync(join(ROOT, file)) && (anchor === undefined || hasAnchor(file, anchor))
}

/** The matches of a pattern in all documents that are wrong. */
function findWrong(pattern: RegExp, isRight: (document: string, found: string) => boolean): string[] {
  return documents.flatMap((document) => {
    const found = readFileSync(join(ROOT, document), 'utf8').matchAll(pattern)
    return [...found]
      .map(([whole, link, source]) => link ?? source ?? whole)
      .filter((one) => !isRight(document, one))
      .map((one) => `${document}: ${one}`)
  })
}

t.test('[DOCUMENT1] every path in a document exists', async (t) => {
  t.ok(documents.length > 40, 'the documents were found')
  t.same(
    findWrong(PATHS, (_, path) => exists(path.replace(/[.,]+$/, ''))),
    [],
  )
  t.same(findWrong(ENDS, isEndOfFile), [])
})

t.test('[DOCUMENT2] every link in a document leads to a file, and to a heading of it', async (t) => {
  t.same(findWrong(LINKS, leads), [])
})

t.test('[DOCUMENT3] every rule that a document cites is the title of a test', async (t) => {
  const ids = new Set(readRules().map(({ id }) => id))
  t.same(
    findWrong(RULES, (_, id) => ids.has(id)),
    [],
  )
})

t.test('[DOCUMENT4] decisions are numbered without gaps', async (t) => {
  const decisions = documents.filter((path) => /decisions\/\d/.test(path)).toSorted()
  t.ok(decisions.length > 10, 'they were found')
  t.same(
    decisions.map((path) => [
      Number.parseInt(basename(path), 10),
      Number.parseInt(readFileSync(join(ROOT, path), 'utf8').slice(2), 10),
    ]),
    decisions.map((_, index) => [index + 1, index + 1]),
  )
})
