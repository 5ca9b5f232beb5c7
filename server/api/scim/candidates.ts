/** The resources that a filter can match, found by an index. */

import type { Filter } from '../../domain/scim/filters.ts'

/** The ids of resources with a value; undefined if the attribute has no index. */
type FindByAttribute<Id> = (path: string, value: string) => Promise<readonly Id[] | undefined>

/** The ids of resources among which are all that match; undefined if these would be all. */
export async function findCandidates<Id>(
  filter: Filter,
  findByAttribute: FindByAttribute<Id>,
): Promise<readonly Id[] | undefined> {
  if (filter.kind === 'eq') return findByAttribute(filter.path, String(filter.value))
  const left = await findCandidates(filter.left, findByAttribute)
  if (filter.kind === 'and' && left) return left
  const right = await findCandidates(filter.right, findByAttribute)
  if (filter.kind === 'and') return right
  return left && right && [...new Set([...left, ...right])]
}
