/** Changes of the linkifiers. */

import { isDeepStrictEqual } from 'node:util'
import { findLinkifierFaults, type LinkifierFault } from '../../../workers/pool/markdown/check-linkifier.ts'
import type { Fact } from '../../domain/events.ts'
import type { LinkifierId } from '../../domain/ids.ts'
import { LINKIFIERS_MAX } from '../../domain/limits.ts'
import type { Linkifier } from '../../domain/organization/organization-lists.ts'
import { checkAdministrator } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

type OptionalPart = 'exampleInput' | 'reverseTemplate' | 'alternativeUrlTemplates'
/** A linkifier, as the request has it; undefined keeps the present value, or is empty for a new one. */
export type GivenLinkifier = Pick<Linkifier, 'pattern' | 'urlTemplate'> & {
  readonly [Part in OptionalPart]: Linkifier[Part] | undefined
}

interface LinkifierRequest {
  readonly linkifierId: LinkifierId
}

/** How adding a linkifier can fail. */
export const NEW_LINKIFIER_ERRORS = ['ROLE_REQUIRED', 'LINKIFIER_INVALID', 'TOO_MANY_LINKIFIERS'] as const

/** Adds a linkifier as the last; answers its id. */
export function decideNewLinkifier(
  scope: Scope<(typeof NEW_LINKIFIER_ERRORS)[number]>,
  { linkifier: given }: { readonly linkifier: GivenLinkifier },
): Decision<LinkifierId> {
  checkAdministrator(scope)
  const { entries } = scope.state.linkifiers
  const id = scope.state.nextLinkifierId
  const linkifier = { id, ...completeLinkifier(given) }
  checkLinkifier(scope, linkifier, entries)
  if (entries.length >= LINKIFIERS_MAX) throw scope.fail('TOO_MANY_LINKIFIERS', { countMax: LINKIFIERS_MAX })
  return answering(id, linkifierFacts([...entries, linkifier]))
}

/** How changing a linkifier can fail. */
export const UPDATE_LINKIFIER_ERRORS = ['ROLE_REQUIRED', 'LINKIFIER_UNKNOWN', 'LINKIFIER_INVALID'] as const

/** Changes a linkifier. */
export function decideLinkifierUpdate(
  scope: Scope<(typeof UPDATE_LINKIFIER_ERRORS)[number]>,
  { linkifierId, linkifier: given }: LinkifierRequest & { readonly linkifier: GivenLinkifier },
): Decision<void> {
  checkAdministrator(scope)
  const { entries } = scope.state.linkifiers
  const present = entries.find(({ id }) => id === linkifierId)
  if (!present) throw scope.fail('LINKIFIER_UNKNOWN')
  const changed = { id: present.id, ...completeLinkifier(given, present) }
  const others = entries.filter((one) => one !== present)
  checkLinkifier(scope, changed, others)
  if (isDeepStrictEqual(changed, present)) return done([])
  const after = entries.map((one) => (one === present ? changed : one))
  return done(linkifierFacts(after))
}

/** How removing a linkifier can fail. */
export const REMOVE_LINKIFIER_ERRORS = ['ROLE_REQUIRED', 'LINKIFIER_UNKNOWN'] as const

/** Removes a linkifier. */
export function decideLinkifierRemoval(
  scope: Scope<(typeof REMOVE_LINKIFIER_ERRORS)[number]>,
  { linkifierId }: LinkifierRequest,
): Decision<void> {
  checkAdministrator(scope)
  const { entries } = scope.state.linkifiers
  const others = entries.filter(({ id }) => id !== linkifierId)
  if (others.length === entries.length) throw scope.fail('LINKIFIER_UNKNOWN')
  return done(linkifierFacts(others))
}

/** How reordering linkifiers can fail. */
export const REORDER_LINKIFIERS_ERRORS = ['ROLE_REQUIRED', 'LINKIFIER_ORDER_INVALID'] as const

/** Changes the order in which linkifiers are tried. */
export function decideLinkifierOrder(
  scope: Scope<(typeof REORDER_LINKIFIERS_ERRORS)[number]>,
  { order }: { readonly order: readonly LinkifierId[] },
): Decision<void> {
  checkAdministrator(scope)
  const { entries } = scope.state.linkifiers
  const after = entries.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  const isWhole = order.length === after.length && after.every(({ id }, index) => id === order[index])
  if (!isWhole) throw scope.fail('LINKIFIER_ORDER_INVALID')
  const isChanged = after.some((one, index) => one !== entries[index])
  return done(isChanged ? linkifierFacts(after) : [])
}

function completeLinkifier(given: GivenLinkifier, present?: Linkifier): Omit<Linkifier, 'id'> {
  const { exampleInput = present?.exampleInput ?? null } = given
  const { reverseTemplate = present?.reverseTemplate ?? null } = given
  const { alternativeUrlTemplates = present?.alternativeUrlTemplates ?? [] } = given
  const { pattern, urlTemplate } = given
  return { pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates }
}

const PART_NAMES: Readonly<Record<LinkifierFault['part'], string>> = {
  pattern: 'pattern',
  urlTemplate: 'url_template',
  alternativeUrlTemplates: 'alternative_url_templates',
  exampleInput: 'example_input',
  reverseTemplate: 'reverse_template',
  whole: '__all__',
}

/** Throws if a linkifier is invalid, or has the pattern of another. */
function checkLinkifier(
  { fail }: Scope<'LINKIFIER_INVALID'>,
  linkifier: Omit<Linkifier, 'id'>,
  others: readonly Linkifier[],
): void {
  const faults = [...findLinkifierFaults(linkifier)]
  if (faults.length === 0 && others.some(({ pattern }) => pattern === linkifier.pattern))
    faults.push({ part: 'whole', message: 'Realm filter with this Realm and Pattern already exists.' })
  if (faults.length === 0) return
  throw fail('LINKIFIER_INVALID', {
    errors: Object.fromEntries(faults.map(({ part, message }) => [PART_NAMES[part], [message]])),
  })
}

function linkifierFacts(linkifiers: readonly Linkifier[]): Fact[] {
  return [{ type: 'realm_linkifiers', linkifiers, clients: 'with_linkifier_templates' }]
}
