/**
 * Lists of kept objects as runs of many: to compress and copy few long pieces takes a fraction of what many short ones
 * do.
 */

import { KeptPiece } from './json-pieces.ts'

/** Ids of one run: so many are joined again where one has changed. */
const RUN_LENGTH = 32
/** Runs of the same ids that are remembered: viewers who may not see all of them have others than those who may. */
const VARIANTS_MAX = 4

/** An object of a list. */
export interface ListedObject {
  readonly id: number
  readonly piece: KeptPiece
}

interface Run {
  readonly pieces: readonly KeptPiece[]
  readonly joined: KeptPiece
}

/** By the first piece; forgotten with it. */
const runs = new WeakMap<KeptPiece, Run[]>()

/** The objects with those of neighbouring ids joined, each run the same piece as long as its objects are. */
export function joinRuns(objects: readonly ListedObject[]): KeptPiece[] {
  const found: KeptPiece[] = []
  for (let start = 0; start < objects.length; ) {
    const number = runOf(objects[start] as ListedObject)
    const pieces: KeptPiece[] = []
    for (; start < objects.length && runOf(objects[start] as ListedObject) === number; start++) {
      pieces.push((objects[start] as ListedObject).piece)
    }
    found.push(findRun(pieces))
  }
  return found
}

function runOf({ id }: ListedObject): number {
  return Math.floor(id / RUN_LENGTH)
}

function findRun(pieces: readonly KeptPiece[]): KeptPiece {
  const first = pieces[0] as KeptPiece
  const variants = runs.get(first) ?? []
  const known = variants.find((run) => isSame(run.pieces, pieces))
  if (known) return known.joined
  const run = { pieces, joined: new KeptPiece(Buffer.concat(pieces.map(({ bytes }) => bytes))) }
  if (variants.length === VARIANTS_MAX) variants.shift()
  variants.push(run)
  runs.set(first, variants)
  return run.joined
}

function isSame(pieces: readonly KeptPiece[], others: readonly KeptPiece[]): boolean {
  if (pieces.length !== others.length) return false
  for (let index = 0; index < pieces.length; index++) if (pieces[index] !== others[index]) return false
  return true
}
