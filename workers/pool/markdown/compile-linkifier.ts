/** Linkifiers as programs: a pattern that takes linear time, and a template for its link. */

import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import type { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'
import { derived, lazy } from '../../../server/domain/derived.ts'
import type { Linkifier } from './snapshot.ts'

/** A linkifier that is ready to be tried. */
export interface CompiledLinkifier {
  /** Matches one character before, the text of the link as the first group of ours, and one character after. */
  readonly pattern: RE2JS
  /** A text that every match contains, or empty: most messages are told apart by it without the pattern. */
  readonly literal: string
  readonly expand: (groups: Readonly<Record<string, string>>) => string
}

/** Compiled linkifiers kept in one thread: more than an organization has. */
const CACHED_MAX = 500
const cache = new LRUCache<string, { readonly compiled: CompiledLinkifier | undefined }>({ max: CACHED_MAX })

/** The programs of linkifiers, in order, without those whose pattern or template is wrong; a server hands the same list for one text after the other. */
export const compileLinkifiers = derived((linkifiers: readonly Linkifier[]): readonly CompiledLinkifier[] =>
  linkifiers.map(compileCached).filter((one) => one !== undefined),
)

/** In a thread, each list is a copy of its own: there, what is in it is known by its text. */
function compileCached(linkifier: Linkifier): CompiledLinkifier | undefined {
  const key = `${linkifier.pattern}\n${linkifier.urlTemplate}`
  let known = cache.get(key)
  if (!known) cache.set(key, (known = { compiled: compile(linkifier) }))
  return known.compiled
}

/** The group that holds the link's text, in a pattern that may have groups of any other name. */
export const LINK_GROUP = 'parley_link'

/** Loaded with the first linkifier: it is large, and an organization may have none. */
export const regexEngine = lazy(() => createRequire(import.meta.url)('re2js') as typeof import('re2js'))

/** A pattern with what must stand around its matches; throws where it is none. */
export function compilePattern(pattern: string): RE2JS {
  // A link begins after a space or an opening character, and no letter or digit follows it.
  return regexEngine().RE2JS.compile(`(?:^|[\\s\\pZ'"(,:<])(?P<${LINK_GROUP}>${pattern})(?:$|[^\\pL\\pN])`)
}

function compile({ pattern, urlTemplate }: Linkifier): CompiledLinkifier | undefined {
  try {
    const template = parseTemplate(urlTemplate)
    return {
      pattern: compilePattern(pattern),
      literal: findLiteral(pattern),
      expand: (groups) => template.expand(groups),
    }
  } catch {
    return undefined // What is set up wrong links nothing; setting it up refuses it.
  }
}

/**
 * The longest run of plain characters that every match of a pattern holds. Only what stands outside of
 * groups and classes and is not repeated counts; where the pattern has alternatives or flags there, none does.
 */
export function findLiteral(pattern: string): string {
  let longest = ''
  let run = ''
  const endRun = () => {
    if (run.length > longest.length) longest = run
    run = ''
  }
  let index = 0
  while (index < pattern.length) {
    const character = pattern[index] as string
    if (character === '|') return ''
    if (character === '(') {
      if (pattern.startsWith('(?', index) && !/^\(\?P?[<:]/.test(pattern.slice(index, index + 4))) return ''
      endRun()
      index = skipGroup(pattern, index)
    } else if (character === '[') {
      endRun()
      index = skipClass(pattern, index)
    } else if ('*?{'.includes(character)) {
      run = run.slice(0, -1) // What stands before it may be absent.
      endRun()
      index = character === '{' ? pattern.indexOf('}', index) + 1 || pattern.length : index + 1
    } else if ('+.^$)'.includes(character)) {
      endRun()
      index++
    } else if (character === '\\') {
      const escaped = pattern[index + 1] ?? ''
      if (/[\p{L}\p{N}]/u.test(escaped)) {
        if (/[QpPx0-9]/.test(escaped)) return '' // They reach further than one character.
        endRun()
      } else run += escaped
      index += 2
    } else {
      run += character
      index++
    }
  }
  endRun()
  // An astral character may have been cut in half.
  return longest.isWellFormed() ? longest : ''
}

function skipGroup(pattern: string, start: number): number {
  let depth = 0
  let index = start
  while (index < pattern.length) {
    const character = pattern[index]
    if (character === '[') {
      index = skipClass(pattern, index)
      continue
    }
    if (character === '\\') index++
    if (character === '(') depth++
    if (character === ')' && --depth === 0) return index + 1
    index++
  }
  return index
}

function skipClass(pattern: string, start: number): number {
  let index = start + (pattern[start + 1] === '^' ? 2 : 1)
  if (pattern[index] === ']') index++ // Right after the first bracket it stands for itself.
  while (index < pattern.length && pattern[index] !== ']') {
    if (pattern[index] === '\\') index++
    else if (pattern.startsWith('[:', index)) index = Math.max(index, pattern.indexOf(':]', index) + 1)
    index++
  }
  return index + 1
}
