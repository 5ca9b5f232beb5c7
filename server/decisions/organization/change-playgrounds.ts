/** Changes of the code playgrounds. */

import { findTemplateVariables, hasAllowedTarget } from '../../../workers/pool/markdown/check-url-template.ts'
import type { Fact } from '../../domain/events.ts'
import type { PlaygroundId } from '../../domain/ids.ts'
import { PLAYGROUNDS_MAX } from '../../domain/limits.ts'
import type { Playground } from '../../domain/organization/organization-lists.ts'
import { checkAdministrator } from '../check-caller.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** Characters in the name of a language. */
const LANGUAGE = /^[ a-zA-Z0-9_+,./#-]*$/

/** How adding a playground can fail. */
export const NEW_PLAYGROUND_ERRORS = [
  'ROLE_REQUIRED',
  'PLAYGROUND_LANGUAGE_INVALID',
  'PLAYGROUND_TEMPLATE_INVALID',
  'PLAYGROUND_EXISTS',
  'TOO_MANY_PLAYGROUNDS',
] as const

/** Adds a playground; answers its id. */
export function decideNewPlayground(
  scope: Scope<(typeof NEW_PLAYGROUND_ERRORS)[number]>,
  { name, language, urlTemplate }: Omit<Playground, 'id'>,
): Decision<PlaygroundId> {
  const { state, fail } = scope
  checkAdministrator(scope)
  if (!LANGUAGE.test(language)) throw fail('PLAYGROUND_LANGUAGE_INVALID')
  const fault = findTemplateFault(urlTemplate)
  if (fault !== undefined) throw fail('PLAYGROUND_TEMPLATE_INVALID', { message: fault })
  const { entries } = state.playgrounds
  if (entries.some((one) => one.language === language && one.name === name)) throw fail('PLAYGROUND_EXISTS')
  if (entries.length >= PLAYGROUNDS_MAX) throw fail('TOO_MANY_PLAYGROUNDS', { countMax: PLAYGROUNDS_MAX })
  const id = state.nextPlaygroundId
  return answering(id, playgroundFacts([...entries, { id, name, language, urlTemplate }]))
}

/** How removing a playground can fail. */
export const REMOVE_PLAYGROUND_ERRORS = ['ROLE_REQUIRED', 'PLAYGROUND_UNKNOWN'] as const

/** Removes a playground. */
export function decidePlaygroundRemoval(
  scope: Scope<(typeof REMOVE_PLAYGROUND_ERRORS)[number]>,
  { playgroundId }: { readonly playgroundId: PlaygroundId },
): Decision<void> {
  checkAdministrator(scope)
  const { entries } = scope.state.playgrounds
  const others = entries.filter(({ id }) => id !== playgroundId)
  if (others.length === entries.length) throw scope.fail('PLAYGROUND_UNKNOWN')
  return done(playgroundFacts(others))
}

function findTemplateFault(template: string): string | undefined {
  const variables = findTemplateVariables(template)
  // Clients open the URL as it is, so the rules of links apply to it.
  if (!variables || !hasAllowedTarget(template)) return 'Invalid URL template.'
  if (!variables.includes('code')) return 'Missing the required variable "code" in the URL template'
  return variables.length > 1 ? '"code" should be the only variable present in the URL template' : undefined
}

function playgroundFacts(playgrounds: readonly Playground[]): Fact[] {
  return [{ type: 'realm_playgrounds', playgrounds }]
}
