/** Changes of the caller's saved snippets. */

import type { EventId, SnippetId } from '../../domain/ids.ts'
import type { Snippet, SnippetContent } from '../../domain/personal/snippets.ts'
import { type Decision, done } from '../decision.ts'
import { decideOwn, ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** Adds a snippet; answers its id. */
export function decideNewSnippet(
  scope: Scope,
  { title, content }: Pick<SnippetContent, 'title' | 'content'>,
): Decision<EventId> {
  return decideOwn(scope, { type: 'saved_snippets/add', snippet: { title, content, createdAt: scope.now } })
}

/** A snippet as it was loaded, and its new texts; undefined keeps the present text. */
export interface UpdateSnippetRequest {
  readonly before: Snippet
  readonly title: string | undefined
  readonly content: string | undefined
}

/** Changes a snippet. */
export function decideSnippetUpdate(
  scope: Scope,
  { before, title = before.title, content = before.content }: UpdateSnippetRequest,
): Decision<void> {
  if (title === before.title && content === before.content) return done([])
  return done([ownFact(scope, { type: 'saved_snippets/update', snippet: { ...before, title, content } })])
}

/** Removes a snippet. */
export function decideSnippetRemoval(
  scope: Scope,
  { snippetId }: { readonly snippetId: SnippetId },
): Decision<void> {
  return done([ownFact(scope, { type: 'saved_snippets/remove', snippetId })])
}
