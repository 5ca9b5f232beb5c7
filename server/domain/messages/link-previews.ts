/** Previews of linked pages and pictures: their limits, and their HTML after a message's own. */

import { previewPicturePath, type PictureId } from '../files/pictures.ts'
import { escapeHtml } from '../text/escape-html.ts'

/** Previews of one message: its first links. A message with 200 links costs what one with these does. */
export const PREVIEWS_MAX = 5
/** Characters of a previewed address: longer ones are made by programs, for programs. */
export const PREVIEWED_URL_LENGTH_MAX = 2_000

/** A thumbnail that this server made, and the size of its original in pixels. */
export interface PreviewPicture {
  readonly id: PictureId
  readonly width: number
  readonly height: number
}

/** The preview of an address. */
export type LinkPreview =
  | {
      readonly kind: 'page'
      readonly title: string
      /** Empty for none. */
      readonly description: string
      readonly picture: PreviewPicture | null
    }
  | { readonly kind: 'picture'; readonly picture: PreviewPicture }

/** An address, and what it shows. */
export interface PreviewedLink {
  readonly url: string
  readonly preview: LinkPreview
}

/** The addresses of a message whose previews are still to be fetched. */
export interface WaitingLinks {
  /** In the order of the text, each once. */
  readonly urls: readonly string[]
  /** Characters of the message's own HTML, which previews follow. */
  readonly ownLength: number
}

/** Shown for pages without a picture: clients of the API family expect one in each card. */
export const NO_PICTURE_URL = '/static/images/preview/page.png'

/** The HTML of a message with previews. The markup is the API family's. */
export function addPreviews(own: string, links: readonly PreviewedLink[]): string {
  return links.reduce((html, link) => `${html}\n${renderPreview(link)}`, own)
}

/** The thumbnails of previews, each once. */
export function picturesOf(links: readonly PreviewedLink[]): readonly PictureId[] {
  return [...new Set(links.flatMap(({ preview }) => (preview.picture ? [preview.picture.id] : [])))]
}

function renderPreview({ url, preview }: PreviewedLink): string {
  const href = escapeHtml(url)
  if (preview.kind === 'picture') {
    const { id, width, height } = preview.picture
    // The large picture is the thumbnail, too: its source would learn the addresses of readers.
    return (
      `<div class="message_inline_image"><a href="${href}"><img data-original-dimensions="${width}x${height}" ` +
      `data-transcoded-image="${id}.webp" src="${previewPicturePath(id)}"></a></div>`
    )
  }
  const picture = preview.picture ? previewPicturePath(preview.picture.id) : NO_PICTURE_URL
  const title = escapeHtml(preview.title)
  const description =
    preview.description === ''
      ? ''
      : `<div class="message_embed_description">${escapeHtml(preview.description)}</div>`
  return (
    `<div class="message_embed"><a class="message_embed_image" href="${href}" ` +
    `style="background-image: url(&quot;${picture}&quot;)"></a><div class="data-container">` +
    `<div class="message_embed_title"><a href="${href}" title="${title}">${title}</a></div>${description}</div></div>`
  )
}
