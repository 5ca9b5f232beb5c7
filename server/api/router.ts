/** Finds the operation for a method and a path. */

import { PATH_ALIASES } from '../views/names.ts'
import { CachedFields } from './cached-fields.ts'
import type { Operation } from './operation.ts'

/** The match of a path: operations by method, and the values of its variable segments. */
export interface Route {
  readonly operations: ReadonlyMap<string, Operation>
  readonly pathParams: ReadonlyMap<string, string>
}

interface Node {
  readonly fixed: Map<string, Node>
  /** Matches a segment of digits; preferred to `text`. */
  number: { name: string; node: Node } | undefined
  text: { name: string; node: Node } | undefined
  /** Matches all remaining segments. */
  rest: { name: string; node: Node } | undefined
  readonly operations: Map<string, Operation>
}

/** Cached paths with variables, and the characters of the longest: those of people who are looked at again and again. */
const CACHED_MAX = 2_000
const CACHED_LENGTH_MAX = 100
/** Including the decoded values. */
const BYTES_PER_PATH = 1_000 + 2 * CACHED_LENGTH_MAX
export const PATHS_BYTES_MAX = CACHED_MAX * BYTES_PER_PATH

const NO_PARAMS: ReadonlyMap<string, string> = new Map()

/** A tree over the segments of the table's paths. */
export class Router {
  readonly #root = createNode()
  /** Paths without variables, as most are, by the whole path. */
  readonly #fixedPaths = new Map<string, Route>()
  readonly #cachedPaths = new Map<string, Route>()

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) this.#add(operation)
    for (const [alias, path] of PATH_ALIASES) {
      const route = this.#fixedPaths.get(path)
      if (route) this.#fixedPaths.set(alias, route)
    }
  }

  /** The most bytes that the cached paths take. */
  get bytes(): number {
    return this.#cachedPaths.size * BYTES_PER_PATH
  }

  /** The route of a path under the base, such as `/users/7`. */
  find(path: string): Route | undefined {
    const known = this.#fixedPaths.get(path) ?? this.#cachedPaths.get(path)
    if (known) return known
    const found = findFrom(this.#root, path.slice(1).split('/'), 0)
    if (!found || path.length > CACHED_LENGTH_MAX) return found
    if (this.#cachedPaths.size >= CACHED_MAX) this.#cachedPaths.clear()
    const route = { operations: found.operations, pathParams: new CachedFields(found.pathParams) }
    this.#cachedPaths.set(path, route)
    return route
  }

  #add(operation: Operation): void {
    let node = this.#root
    for (const segment of operation.path.slice(1).split('/')) {
      node = segment.startsWith('{')
        ? this.#variable(node, segment.slice(1, -1), operation)
        : child(node, segment)
    }
    if (node.operations.has(operation.method)) {
      throw new Error(`${operation.method} ${operation.path} is in the table twice`)
    }
    node.operations.set(operation.method, operation)
    if (!operation.path.includes('{')) {
      this.#fixedPaths.set(operation.path, { operations: node.operations, pathParams: NO_PARAMS })
    }
  }

  #variable(node: Node, name: string, { path, params }: Operation): Node {
    const param = params[name]
    if (!param) throw new Error(`${path} does not declare ${name}`)
    const kind = param.type.takesSlashes
      ? 'rest'
      : param.type.isText || param.type.isLoose
        ? 'text'
        : 'number'
    if (kind === 'rest' && !path.endsWith(`{${name}}`)) throw new Error(`${path} goes on after its rest`)
    node[kind] ??= { name, node: createNode() }
    if (node[kind].name !== name)
      throw new Error(`${path} calls a segment ${name} that is ${node[kind].name} elsewhere`)
    return node[kind].node
  }
}

/**
 * The route of the segments from an index on: a fixed one is preferred to a number, a number to a text, a text to the
 * rest.
 */
function findFrom(node: Node, segments: readonly string[], index: number): Route | undefined {
  const segment = segments[index]
  if (segment === undefined) {
    return node.operations.size > 0 ? { operations: node.operations, pathParams: NO_PARAMS } : undefined
  }
  const fixed = node.fixed.get(segment)
  const route = fixed && findFrom(fixed, segments, index + 1)
  if (route) return route
  for (const variable of [isDigits(segment) ? node.number : undefined, node.text]) {
    const found = variable && findFrom(variable.node, segments, index + 1)
    const value = found && decodeSegment(segment)
    if (!value) continue
    return { ...found, pathParams: new Map([[variable.name, value], ...found.pathParams]) }
  }
  const rest = node.rest && decodeSegment(segments.slice(index).join('/'))
  if (node.rest && rest) {
    return { operations: node.rest.node.operations, pathParams: new Map([[node.rest.name, rest]]) }
  }
  return undefined
}

function createNode(): Node {
  return { fixed: new Map(), number: undefined, text: undefined, rest: undefined, operations: new Map() }
}

function child(node: Node, segment: string): Node {
  let next = node.fixed.get(segment)
  if (!next) node.fixed.set(segment, (next = createNode()))
  return next
}

function isDigits(segment: string): boolean {
  return /^[0-9]{1,15}$/.test(segment)
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined // A malformed escape matches nothing.
  }
}
