/** Rendering as operations use it: what takes too long is the message's failure, not the server's. */

import { RenderError, RenderOverloadError, type Renderer } from '../../workers/pool/renderer.ts'
import { fail } from './errors.ts'

/** HTML from Markdown; throws or rejects with `MESSAGE_RENDERING_FAILED` past the limits, or with `OVERLOADED`. */
export function createRender(renderer: Renderer): (markdown: string) => string | Promise<string> {
  const reword = (error: unknown): never => {
    if (error instanceof RenderError) throw fail('MESSAGE_RENDERING_FAILED')
    throw error instanceof RenderOverloadError ? fail('OVERLOADED') : error
  }
  return (markdown) => {
    try {
      const rendered = renderer.render(markdown)
      return typeof rendered === 'string' ? rendered : rendered.catch(reword)
    } catch (error) {
      return reword(error)
    }
  }
}
