/** The texts in the code: the first arguments of `t` and `markup`, `of` of `<Text>`, and words that `textId` marks. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

export const ROOT = join(import.meta.dirname, '../..')

/** The folders with the texts of each family of catalogues. */
export const FAMILIES = [
  {
    catalogues: 'client/texts/catalogues',
    sources: ['client/{app,features,shell,store,ui}/**/*.{ts,tsx}', 'packages/{look,rules}/*.ts'],
    /** Fewer would mean that the search for texts is broken. */
    textsMin: 1_000,
  },
  {
    catalogues: 'server/texts/catalogues',
    sources: [
      'server/wire/{forms,html}.ts',
      'server/wire/forms/*.ts',
      'workers/jobs/{calls,mail,mail-in,push,webhooks}/**/*.ts',
      'server/{changes,decisions}/**/*.ts',
      'packages/look/*.ts',
    ],
    textsMin: 300,
  },
] as const

export interface FoundText {
  readonly id: string
  readonly context?: string
  /** The file. */
  readonly where: string
  /** The names of its values, if they stand in the code; undefined for a text that takes none. */
  readonly values?: readonly string[]
}

/** A node of the syntax tree, as ESTree has it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Calls `visit` with each node and those above it, the nearest first; it returns false to leave out what is inside. */
export function walk(
  node: Node,
  visit: (node: Node, above: readonly Node[]) => unknown,
  above: readonly Node[] = [],
) {
  if (visit(node, above) === false) return
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) walk(child, visit, [node, ...above])
  }
}

export function parseFile(file: string): Node {
  const source = readFileSync(join(ROOT, file), 'utf8')
  return parseAst(source, {
    lang: file.endsWith('x') ? 'tsx' : 'ts',
    sourceType: 'module',
  }) as unknown as Node
}

export function filesOf(sources: readonly string[]): readonly string[] {
  return globSync([...sources], { cwd: ROOT })
    .filter((file) => !/\bdist\b/.test(file))
    .sort()
}

/** The texts of a file, and the places where a text is not written out. */
export function findTexts(file: string): {
  readonly texts: readonly FoundText[]
  readonly odd: readonly string[]
} {
  const texts: FoundText[] = []
  const odd: string[] = []
  const add = (
    node: Node | undefined,
    values: readonly string[] | undefined,
    context: string | undefined,
  ) => {
    for (const id of literals(node)) {
      if (id === undefined) odd.push(`${file}: ${node?.type ?? 'nothing'} at ${node?.start ?? 0} is no text`)
      else
        texts.push({ id, where: file, ...(context !== undefined && { context }), ...(values && { values }) })
    }
  }
  walk(parseFile(file), (node) => {
    if (node.type === 'CallExpression') {
      const name = (node.callee as Node).name
      const [text, values, context] = node.arguments as readonly Node[]
      if (name === 't' && !isMarked(text))
        add(text, namesOf(values), context === undefined ? undefined : literals(context)[0])
      if (name === 'markup') add(text, namesOf(values) ?? [], undefined)
      if (name === 'textId') add(text, undefined, undefined)
    }
    if (node.type === 'JSXOpeningElement' && (node.name as Node).name === 'Text') {
      add(attribute(node, 'of'), namesOf(attribute(node, 'values')) ?? [], undefined)
    }
  })
  return { texts, odd }
}

/** Words that are marked elsewhere by `textId`: constants in capitals, fields of that name, and the names of roles. */
function isMarked(node: Node | undefined): boolean {
  if (node?.type === 'MemberExpression')
    return (node.property as Node).name === 'textId' || isMarked(node.object as Node)
  if (node?.type === 'CallExpression') return isMarked(node.callee as Node)
  return node?.type === 'Identifier' && /^[A-Z_]+$|^roleName$/.test(String(node.name))
}

function attribute(element: Node, name: string): Node | undefined {
  const found = (element.attributes as readonly Node[]).find(
    (one) => (one.name as Node | undefined)?.name === name,
  )
  const value = found?.value as Node | undefined
  return value?.type === 'JSXExpressionContainer' ? (value.expression as Node) : value
}

/** The possible values of an expression that chooses between texts; undefined for any other expression. */
function literals(node: Node | undefined): readonly (string | undefined)[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node?.type === 'ConditionalExpression')
    return [...literals(node.consequent as Node), ...literals(node.alternate as Node)]
  return [undefined]
}

function namesOf(node: Node | undefined): readonly string[] | undefined {
  if (node?.type !== 'ObjectExpression') return undefined
  return (node.properties as readonly Node[]).map((one) => String((one.key as Node | undefined)?.name))
}

/** The texts of a family, each once, by their place. */
export function textsOf(sources: readonly string[]): readonly FoundText[] {
  const found = new Map<string, FoundText>()
  for (const file of filesOf(sources))
    for (const text of findTexts(file).texts) {
      const key = `${text.context ?? ''}\u0004${text.id}`
      if (!found.has(key)) found.set(key, text)
    }
  return [...found.values()]
}
