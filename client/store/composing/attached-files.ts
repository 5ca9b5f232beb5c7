/** Files that the text of a message links to. The text has them, so they survive with the draft, on every device. */

/** A link to an uploaded file in a text. */
export interface AttachedFile {
  /** The text of the link: what screen readers say of a picture. */
  readonly label: string
  readonly path: string
  /** The place of the link in the text. */
  readonly from: number
  readonly to: number
  /** Whether it is written as a picture, `![…](…)`. */
  readonly isInline: boolean
}

/** A text has room for more; a composer has not. */
const FILES_MAX = 20

const LINK = /(!?)\[([^[\]\n]*)\]\((\/user_uploads\/[^\s()]+)\)/g
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i

export function findAttachedFiles(text: string): readonly AttachedFile[] {
  return [...text.matchAll(LINK)].slice(0, FILES_MAX).map((match) => ({
    label: match[2] ?? '',
    path: match[3] ?? '',
    from: match.index,
    to: match.index + match[0].length,
    isInline: match[1] !== '',
  }))
}

export function isPicture(path: string): boolean {
  return PICTURE.test(path)
}

/** The name of a file on the server. */
export function fileNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The text with another label for a file. */
export function describeFile(
  text: string,
  { from, to, path, isInline }: AttachedFile,
  label: string,
): string {
  return `${text.slice(0, from)}${isInline ? '!' : ''}[${linkLabel(label)}](${path})${text.slice(to)}`
}

/** The text without a file, and without the space or line after its link. */
export function removeFile(text: string, { from, to }: AttachedFile): string {
  return text.slice(0, from) + text.slice(/[ \n]/.test(text[to] ?? '') ? to + 1 : to)
}

/** A name as the text of a link. */
export function linkLabel(name: string): string {
  return name.replaceAll('[', '(').replaceAll(']', ')').replaceAll('\\', '/').replaceAll('\n', ' ')
}
