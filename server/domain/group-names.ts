/** What a user group may be called. */

import { foldCase } from './fold-case.ts'
import type { GroupState } from './group-graph.ts'
import type { GroupId } from './ids.ts'
import { countCodePoints, GROUP_NAME_LENGTH_MAX } from './limits.ts'
import { findUnseenCharacter } from './unseen-characters.ts'

/** Mentions and system groups begin with these. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const

/** Why a name cannot be one. */
export type GroupNameProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** Counted from 1, in code points. */
  | { readonly kind: 'character'; readonly position: number }

/** The problem with a name, if there is one. */
export function findGroupNameProblem(name: string): GroupNameProblem | undefined {
  if (name === '') return { kind: 'empty' }
  if (countCodePoints(name) > GROUP_NAME_LENGTH_MAX) return { kind: 'too_long' }
  const prefix = RESERVED_PREFIXES.find((one) => foldCase(name).startsWith(one))
  if (prefix !== undefined) return { kind: 'prefix', prefix }
  const position = findUnseenCharacter(name)
  return position === undefined ? undefined : { kind: 'character', position }
}

/** Whether another group than `except` has the name in any case; deactivated ones keep theirs. */
export function isGroupNameTaken(
  name: string,
  groups: ReadonlyMap<GroupId, GroupState>,
  except?: GroupId,
): boolean {
  const folded = foldCase(name)
  return [...groups.values()].some(({ group }) => group.id !== except && foldCase(group.name) === folded)
}
