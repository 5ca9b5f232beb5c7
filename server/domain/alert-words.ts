/** Finding the words of which users want to be alerted, in one pass over a text however many words there are. */

import { foldCase } from './fold-case.ts'
import type { UserId } from './ids.ts'
import { mapOver } from './overlay-map.ts'

/** A word of letters and digits, or one other character: what words are compared by. */
const TOKEN = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*|\S/gu

/** Tokens in order; each but the first begins with a space where it stands apart from the one before. */
function tokenize(text: string): string[] {
  let end = 0
  const folded = foldCase(text).replaceAll('ς', 'σ') // The same letter in capitals.
  return Array.from(folded.matchAll(TOKEN), ({ 0: token, index }) => {
    const isApart = end > 0 && index > end
    end = index + token.length
    return isApart ? ` ${token}` : token
  })
}

/** Tokens in a word, which may be several words: a search looks so far from each token of a text. */
export function countTokens(word: string): number {
  return tokenize(word).length
}

/** Whether two words are one: found by the same texts. */
export function wordKey(word: string): string {
  return tokenize(word).join('')
}

interface Branch {
  readonly next: Map<string, Branch>
  /** Whose word ends here. */
  readonly userIds: Set<UserId>
}

/** Everyone's words, as a tree by their tokens; case does not matter, and words match as a whole. */
export class AlertIndex {
  /** Undefined in an overlay until it is asked for. */
  #root: Branch | undefined
  readonly #words: Map<UserId, readonly string[]>
  #version: number

  /** An index without words, or an overlay: it begins as its base is, and is changed without changing that. */
  constructor(base?: AlertIndex) {
    this.#words = base ? mapOver(base.#words) : new Map()
    this.#version = base?.version ?? 0
    if (!base) this.#root = newBranch()
  }

  /** Another number after each change. */
  get version(): number {
    return this.#version
  }

  get isEmpty(): boolean {
    return this.#words.size === 0
  }

  /** A user's words, as they were given. */
  wordsOf(userId: UserId): readonly string[] {
    return this.#words.get(userId) ?? []
  }

  /** Everyone's words, by user. */
  get words(): ReadonlyMap<UserId, readonly string[]> {
    return this.#words
  }

  /** Puts a user's words in the place of those they had. */
  place(userId: UserId, words: readonly string[]): void {
    this.#version++
    if (this.#root) {
      for (const word of this.wordsOf(userId)) remove(this.#root, tokenize(word), 0, userId)
      add(this.#root, words, userId)
    }
    if (words.length > 0) this.#words.set(userId, words)
    else this.#words.delete(userId)
  }

  /** Whose words are in a text, ascending. */
  find(text: string): readonly UserId[] {
    if (this.isEmpty) return NOBODY
    const root = (this.#root ??= this.#build())
    const tokens = tokenize(text)
    const ends = new Set<Branch>()
    for (const [start, token] of tokens.entries()) {
      let branch = root.next.get(token.startsWith(' ') ? token.slice(1) : token)
      for (let index = start + 1; branch; index++) {
        if (branch.userIds.size > 0) ends.add(branch)
        const following = tokens[index]
        branch = following === undefined ? undefined : branch.next.get(following)
      }
    }
    if (ends.size === 0) return NOBODY
    return [...new Set([...ends].flatMap(({ userIds }) => [...userIds]))].sort((a, b) => a - b)
  }

  #build(): Branch {
    const root = newBranch()
    for (const [userId, words] of this.#words) add(root, words, userId)
    return root
  }
}

const NOBODY: readonly UserId[] = []

function newBranch(): Branch {
  return { next: new Map(), userIds: new Set() }
}

function add(root: Branch, words: readonly string[], userId: UserId): void {
  for (const word of words) {
    let branch = root
    for (const token of tokenize(word)) {
      let next = branch.next.get(token)
      if (!next) branch.next.set(token, (next = newBranch()))
      branch = next
    }
    branch.userIds.add(userId)
  }
}

/** Takes a user's word off the tree, with the branches that it alone was on. */
function remove(branch: Branch, tokens: readonly string[], depth: number, userId: UserId): void {
  const token = tokens[depth]
  if (token === undefined) {
    branch.userIds.delete(userId)
    return
  }
  const next = branch.next.get(token)
  if (!next) return
  remove(next, tokens, depth + 1, userId)
  if (next.next.size === 0 && next.userIds.size === 0) branch.next.delete(token)
}

/** Whose words are in a text, as of a version of the index. */
export interface Alerted {
  readonly content: string
  readonly version: number
  readonly userIds: readonly UserId[]
}

/** Looks for everyone's words in a text. */
export function findAlerted(content: string, index: AlertIndex): Alerted {
  return { content, version: index.version, userIds: index.find(content) }
}

/** The users found, looked for again where somebody's words have changed since. */
export function alertedNow({ content, version, userIds }: Alerted, index: AlertIndex): readonly UserId[] {
  return version === index.version ? userIds : index.find(content)
}
