/** Previews of linked images and videos, after the paragraph that links to them. */

import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import {
  PREVIEWED_URL_LENGTH_MAX,
  PREVIEWS_MAX as LINKS_MAX,
} from '../../../server/domain/messages/link-previews.ts'
import { UPLOADS_BASE } from '../../../server/domain/files/uploads.ts'
import { contextOf, type RenderContext } from './context.ts'
import { escapeHtml, htmlToken } from './html.ts'
import { decodePath, isVideo, renderPreviewImage } from './uploads.ts'

/** Previews in one message; with more, they would hide the text, so none is shown. */
const PREVIEWS_MAX = 24
const IMAGE_NAME = /^https?:\/\/[^/?#]+\/[^?#]*\.(?:avif|bmp|gif|jpe?g|png|webp)(?:[?#]|$)/i

export function previews(markdown: MarkdownIt): void {
  markdown.core.ruler.after('links', 'previews', (state) => {
    const context = contextOf(state.env)
    if (!context.found.hasLink) return
    findPreviewedUrls(context, state.tokens)
    if (context.snapshot.previewedImages === 'none') return
    const found = findPreviews(context, state.tokens)
    if (found.length === 0 || found.length > PREVIEWS_MAX) return
    context.found.hasImage ||= found.some(({ isImage }) => isImage)
    state.tokens = insertPreviews(state, found)
  })
}

interface Preview {
  /** The index of the inline token whose link gets a preview. */
  readonly index: number
  readonly html: string
  readonly isImage: boolean
  /** Whether the link stands alone and shows its own address, so that the preview replaces it. */
  readonly isAlone: boolean
}

/** The previews of a message, each address once; quotes, headings and tables have none. */
function findPreviews(context: RenderContext, tokens: readonly Token[]): Preview[] {
  const found: Preview[] = []
  const seen = new Set<string>()
  let quoteDepth = 0
  for (const [index, { type, children }] of tokens.entries()) {
    if (type === 'blockquote_open') quoteDepth++
    else if (type === 'blockquote_close') quoteDepth--
    else if (children && quoteDepth === 0 && tokens[index - 1]?.type === 'paragraph_open') {
      for (const [at, token] of children.entries()) {
        if (token.type !== 'link_open') continue
        const href = String(token.attrGet('href'))
        if (seen.has(href)) continue
        const text = textOfLink(children, at)
        const rendered = renderPreview(context, href, text)
        if (!rendered) continue
        seen.add(href)
        const isAlone = children.length === 3 && text === href && rendered.isImage
        found.push({ index, isAlone, ...rendered })
        if (found.length > PREVIEWS_MAX) return found
      }
    }
  }
  return found
}

/** Finds the web addresses that the server may fetch a preview of: what is quoted was shown, and what is hidden stays so. */
function findPreviewedUrls({ found: { previewedUrls } }: RenderContext, tokens: readonly Token[]): void {
  let depth = 0
  for (const [index, { type, children }] of tokens.entries()) {
    if (type === 'blockquote_open' || type === 'spoiler_open') depth++
    else if (type === 'blockquote_close' || type === 'spoiler_close') depth--
    if (!children || depth > 0 || tokens[index - 1]?.type !== 'paragraph_open') continue
    for (const token of children) {
      const href = token.type === 'link_open' ? String(token.attrGet('href')) : ''
      if (!/^https?:\/\//i.test(href) || href.length > PREVIEWED_URL_LENGTH_MAX || !URL.canParse(href))
        continue
      previewedUrls.add(href)
      if (previewedUrls.size === LINKS_MAX) return
    }
  }
}

function textOfLink(tokens: readonly Token[], open: number): string {
  let text = ''
  for (let index = open + 1; tokens[index] && tokens[index]?.type !== 'link_close'; index++) {
    text += tokens[index]?.content
  }
  return text
}

function renderPreview(
  { index, snapshot }: RenderContext,
  href: string,
  text: string,
): { html: string; isImage: boolean } | undefined {
  const url = escapeHtml(href)
  const title = text === href ? '' : ` title="${escapeHtml(text)}"`
  const wrap = (inner: string, classes: string) =>
    `<div class="${classes}"><a href="${url}"${title}>${inner}</a></div>`
  if (href.startsWith(UPLOADS_BASE)) {
    const upload = index.findUpload(decodePath(href))
    if (upload?.image) {
      return { html: wrap(renderPreviewImage(upload, upload.image), 'message_inline_image'), isImage: true }
    }
    if (!upload || !isVideo(upload)) return undefined
    const video = `<video preload="metadata" src="${url}"></video>`
    return { html: wrap(video, 'message_inline_image message_inline_video'), isImage: false }
  }
  if (snapshot.previewedImages !== 'all' || !IMAGE_NAME.test(href)) return undefined
  return { html: wrap(`<img src="${url}">`, 'message_inline_image'), isImage: true }
}

function insertPreviews(state: StateCore, previews: readonly Preview[]): Token[] {
  const byParagraph = Map.groupBy(previews, ({ index }) => index)
  const tokens: Token[] = []
  for (const [index, token] of state.tokens.entries()) {
    const own = byParagraph.get(index - 1)
    tokens.push(token)
    if (!own || token.type !== 'paragraph_close') continue
    if (own[0]?.isAlone) tokens.splice(-3)
    for (const { html } of own) tokens.push(htmlToken(state.Token, html))
  }
  return tokens
}
