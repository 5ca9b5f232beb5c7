/** Rendering for operations: a text that takes too long fails the request, not the server. */

import type { RenderedMarkdown } from '../../workers/pool/markdown/rendered-markdown.ts'
import type { MentionSnapshot } from '../../workers/pool/markdown/snapshot.ts'
import type { RenderShare } from '../../workers/pool/render-budget.ts'
import {
  RenderBudgetError,
  RenderError,
  RenderOverloadError,
  type Renderer,
} from '../../workers/pool/renderer.ts'
import type { UserId } from '../domain/ids.ts'
import { fail } from '../errors/api-error.ts'

/**
 * Rendering. Each function throws or rejects with `MESSAGE_RENDERING_FAILED` past the limits, with `RATE_LIMIT_HIT` if
 * its user has used up their rendering time of the minute, or with `OVERLOADED`.
 */
export interface Rendering {
  /** HTML from a user's Markdown without mentions: at once for short plain texts, else from the pool. */
  readonly render: (markdown: string, userId: UserId) => string | Promise<string>
  /** The same with the names of a snapshot; also answers the mentions and other results. */
  readonly renderMessage: (
    markdown: string,
    snapshot: MentionSnapshot,
    share: RenderShare,
  ) => RenderedMarkdown | Promise<RenderedMarkdown>
}

export function createRendering(renderer: Renderer): Rendering {
  return {
    render: (markdown, userId) =>
      reworded(() => renderer.render(markdown, undefined, { userId, kind: 'send' })),
    renderMessage: (markdown, snapshot, share) =>
      reworded(() => renderer.renderMessage(markdown, snapshot, share)),
  }
}

function reworded<Rendered>(render: () => Rendered | Promise<Rendered>): Rendered | Promise<Rendered> {
  try {
    const rendered = render()
    return rendered instanceof Promise ? rendered.catch(refuse) : rendered
  } catch (error) {
    return refuse(error)
  }
}

function refuse(error: unknown): never {
  if (error instanceof RenderError) throw fail('MESSAGE_RENDERING_FAILED')
  if (error instanceof RenderBudgetError)
    throw fail('RATE_LIMIT_HIT', { retryAfterSeconds: error.retryAfterSeconds })
  throw error instanceof RenderOverloadError ? fail('OVERLOADED') : error
}
