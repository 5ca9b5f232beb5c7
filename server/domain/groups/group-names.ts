/** Rules for names of user groups. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { GroupState } from './group-graph.ts'
import type { GroupId } from '../ids.ts'
import { GROUP_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { findUnseenCharacter } from '../text/unseen-characters.ts'

/** Mentions and system groups start with these. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const

/** Why a group name is invalid. */
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

/** Whether a group other than `except` has the name, in any case; deactivated groups keep their names. */
export function isGroupNameTaken(
  name: string,
  groups: ReadonlyMap<GroupId, GroupState>,
  except?: GroupId,
): boolean {
  const folded = foldCase(name)
  return [...groups.values()].some(({ group }) => group.id !== except && foldCase(group.name) === folded)
}
