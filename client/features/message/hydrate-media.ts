/** Pictures with their sizes, to be opened large; videos with controls. The page loads nothing from other servers. */

import { ownPicture } from '../../ui/own-picture.ts'

/** A picture alone is as wide as the text at most, in pixels. */
const WIDTH_MAX = 720
const HEIGHT_MAX = 360

export function hydrateMedia(body: HTMLElement): void {
  for (const video of body.querySelectorAll('video')) {
    video.controls = true
    // Its link would take each click.
    video.closest('a')?.replaceWith(video)
  }
  for (const picture of body.querySelectorAll<HTMLImageElement>('.message_inline_image img')) {
    const link = picture.closest('a')
    const address = link?.getAttribute('href') ?? ''
    if (link && ownPicture(picture.getAttribute('src') ?? '') !== undefined)
      preparePicture(picture, link, link.title || nameOf(address))
    else showAsLink(picture, address)
  }
  for (const picture of body.querySelectorAll<HTMLImageElement>('img.inline-image')) {
    const link = body.ownerDocument.createElement('a')
    link.href = picture.dataset.originalSrc ?? picture.src
    picture.replaceWith(link)
    link.append(picture)
    preparePicture(picture, link, picture.alt.trim() || nameOf(link.getAttribute('href') ?? ''))
  }
  for (const picture of body.querySelectorAll('img')) {
    if (ownPicture(picture.getAttribute('src') ?? '') === undefined) picture.replaceWith(picture.alt)
  }
}

function preparePicture(picture: HTMLImageElement, link: HTMLAnchorElement, name: string): void {
  const [width = 0, height = 0] = (picture.dataset.originalDimensions ?? '').split('x').map(Number)
  if (width > 0 && height > 0) {
    const scale = Math.min(1, WIDTH_MAX / width, HEIGHT_MAX / height)
    picture.width = Math.max(1, Math.round(width * scale))
    picture.height = Math.max(1, Math.round(height * scale))
    // The ratio of a thumbnail is a little another one.
    picture.style.aspectRatio = `${picture.width} / ${picture.height}`
  }
  picture.loading = 'lazy'
  picture.alt = name
  link.classList.add('picture')
  link.dataset.action = 'picture'
  link.dataset.name = name
  // Screen readers would read it after the text of the picture, which is the same.
  link.removeAttribute('title')
  const { transcodedImage: transcoded } = picture.dataset
  // A format that browsers do not show has a copy that they do.
  const source = picture.getAttribute('src') ?? ''
  link.dataset.large =
    transcoded === undefined
      ? (link.getAttribute('href') ?? '')
      : source.slice(0, source.lastIndexOf('/') + 1) + transcoded
}

/** A preview from another server becomes the link that it was. */
function showAsLink(picture: HTMLImageElement, address: string): void {
  const page = picture.ownerDocument
  const link = page.createElement('a')
  link.href = address
  link.textContent = address
  const paragraph = page.createElement('p')
  paragraph.append(link)
  const preview = picture.closest('.message_inline_image')
  // The text above it may have the link already.
  const before = preview?.previousElementSibling
  const isThere = [...(before?.querySelectorAll('a') ?? [])].some(
    (one) => one.getAttribute('href') === address,
  )
  if (isThere) preview?.remove()
  else preview?.replaceWith(paragraph)
}

/** The name of a file at the end of an address. */
function nameOf(address: string): string {
  const name = address.slice(address.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
