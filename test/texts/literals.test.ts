/** Texts of the client and of the server's pages and mails that are outside of the catalogues. */

import t from 'tap'
import { filesOf, type Node, parseFile, walk } from './find-texts.ts'

/** Words that are the same in all languages, and marks of programs that look like words. */
const EXCEPTIONS = new Set([
  'MAIL_URL',
  'Parley',
  'Gravatar',
  'KiB',
  'MiB',
  'GiB',
  'UnknownEventError',
  'UnknownObjectError',
  // Examples in empty fields.
  'example.com',
  'rust',
  'party_parrot',
  'https://tickets.example.com/{id}',
  'https://play.rust-lang.org/?code={code}',
  'https://example.com/%(username)s',
  // The server's own bot and its client.
  'Notification Bot',
  'Internal',
  // Names of forms and phases.
  'not set up',
  'invitation by link',
  'invitation by email',
  'new profile field',
  // Names of products.
  'Slack',
  'Mattermost',
  'Rocket.Chat',
  'Discord',
  'Zulip',
  // For developers.
  'an event is about {} {}, which the state does not have',
  '{}px auto auto {}px',
])

/** Attributes and properties that people read. */
const SHOWN =
  /^(?:label|unit|title|text|hint|help|detail|placeholder|alt|action|aria-label|aria-description|description|heading|about)$/

/** Keys of the keyboard, by their names in events. */
const KEY = /^(?:(?:Ctrl|Shift|Alt|Enter|Escape|Tab|Backspace|AltGraph|Arrow\w+|[A-Zk\\]|\{\})(?: |$))+$/

/** Calls whose texts are no words: addresses, events, selectors, errors for developers. */
const CODE_CALLS =
  /(?:^|\.)(?:t|markup|textId|required|defaulted|call|querySelector|querySelectorAll|closest|matches|addEventListener|removeEventListener|useFormField|deviceSetting|startsWith|endsWith|includes|getItem|setItem|fetch|import|createElement|matchMedia|getAttribute|setAttribute|removeAttribute|newButton)$/

const hasWord = (text: string) => /\p{L}{2}/u.test(text)

/** A sentence, or a word as labels begin. */
const isPhrase = (text: string) =>
  /^[“‘(]?\p{Lu}\p{Ll}/u.test(text) ||
  /\p{L}[’\p{L}]+,? \p{L}+ \p{L}+/u.test(text) ||
  /\p{L} .*[.…?!]$/u.test(text)

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as readonly Node[]).map(({ value }) => (value as { cooked: string }).cooked).join('{}')
}

function nameOf(node: Node | null | undefined): string {
  if (!node) return ''
  if (node.type === 'MemberExpression')
    return `${nameOf(node.object as Node)}.${nameOf(node.property as Node)}`
  const name = node.name ?? node.value
  return typeof name === 'string' ? name : node.type
}

/** Whether a node above says that a text is no word for people. */
function isCode(node: Node, above: readonly Node[]): boolean {
  let child = node
  for (const parent of above) {
    const { type } = parent
    if (
      /^TS(?!As|Satisfies|NonNull)|^(?:Import|Export)\w*Declaration$/.test(type) &&
      type !== 'ExportNamedDeclaration'
    )
      return true
    if (type === 'BinaryExpression' && /^[=!]==?$|^in$/.test(String(parent.operator))) return true
    if (type === 'SwitchCase' && parent.test === child) return true
    if (type === 'Property' && parent.key === child) return true
    if (type === 'MemberExpression') return true
    if (
      type === 'CallExpression' &&
      parent.callee !== child &&
      CODE_CALLS.test(nameOf(parent.callee as Node))
    )
      return true
    if (type === 'NewExpression' && parent.callee !== child) return true
    // Markup has a search of its own.
    if (type === 'TaggedTemplateExpression') return true
    if (type === 'JSXAttribute')
      return (
        !(SHOWN.test(nameOf(parent.name as Node)) || nameOf(parent.name as Node) === 'name') ||
        nameOf(above[1]?.name as Node) === 'Text'
      )
    if (/^(?:BlockStatement|JSXElement|JSXFragment|ArrowFunctionExpression)$/.test(type)) return false
    child = parent
  }
  return false
}

/** Whether the text is the value of an attribute or a property that people read. */
function isShown(above: readonly Node[]): boolean {
  const holder = above.find(
    ({ type }) => !/^(?:ConditionalExpression|LogicalExpression|JSXExpressionContainer)$/.test(type),
  )
  if (holder?.type === 'JSXAttribute') return SHOWN.test(nameOf(holder.name as Node))
  return holder?.type === 'Property' && SHOWN.test(nameOf(holder.key as Node))
}

function find(file: string): string[] {
  const found: string[] = []
  walk(parseFile(file), (node, above) => {
    if (node.type === 'JSXText') {
      const text = String(node.value).trim()
      if (hasWord(text) && !EXCEPTIONS.has(text)) found.push(`${file}: ${text}`)
      return
    }
    const text = textOf(node)
    if (text === undefined || !hasWord(text) || EXCEPTIONS.has(text) || KEY.test(text)) return
    if ((isPhrase(text) || (isShown(above) && /^\p{L}/u.test(text))) && !isCode(node, above))
      found.push(`${file}: ${text}`)
  })
  return found
}

t.test('[TEXTS8] each text of the client comes from a catalogue', async (t) => {
  const files = filesOf(['client/{app,features,shell,store,ui}/**/*.{ts,tsx}'])
  t.ok(files.length > 300, 'the files were read')
  t.same(files.flatMap(find), [])
})

/** The words of a template that is markup: between its tags, and in attributes that people read. */
function wordsOfMarkup({ quasis }: Node): string[] {
  const markup = (quasis as readonly Node[])
    .map(({ value }) => (value as { cooked: string }).cooked)
    .join('{}')
  const attributes = [...markup.matchAll(/\s(?:alt|title|placeholder|aria-label|data-copy)="([^"]*)"/g)]
  const isAttributes = /^\s*[\w-]+="|^<\w+[^>]*$/.test(markup)
  const between = isAttributes ? '' : markup.replaceAll(/<[^>]*>/g, '\n')
  return [...between.split('\n'), ...attributes.map(([, text = '']) => text)]
    .map((text) => text.trim())
    .filter((text) => hasWord(text.replaceAll(/&\w+;/g, '')))
}

/** The texts of a file, and those in its markup. */
function findInServer(file: string): string[] {
  const found = find(file)
  walk(parseFile(file), (node) => {
    if (node.type === 'TaggedTemplateExpression' && nameOf(node.tag as Node) === 'html')
      found.push(...wordsOfMarkup(node.quasi as Node).map((text) => `${file}: ${text}`))
  })
  return found
}

/** The texts in the markup of a file whose other literals are styles and names of elements. */
function findInMarkup(file: string): string[] {
  const found: string[] = []
  walk(parseFile(file), (node) => {
    if (node.type !== 'TemplateLiteral') return
    const words = wordsOfMarkup(node).filter((text) => /^[\p{L} ]+[.:…?!]?$/u.test(text))
    found.push(...words.map((text) => `${file}: ${text}`))
  })
  return found
}

t.test(
  '[TEXTS9] each text of the pages, mails and notices of the server comes from a catalogue',
  async (t) => {
    const files = filesOf([
      'server/wire/{forms,html}.ts',
      'server/wire/forms/*.ts',
      'workers/jobs/mail/{compose-*,mail-times,templates/*}.ts',
      'workers/jobs/push/compose-push.ts',
      'server/{changes,decisions}/**/*{wording,notices}.ts',
    ])
    t.ok(files.length > 40, 'the files were read')
    t.same(files.flatMap(findInServer), [])
    t.same(filesOf(['workers/jobs/mail/mail-{layout,markup}.ts']).flatMap(findInMarkup), [])
  },
)
