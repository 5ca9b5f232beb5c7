/** The picture of a user, or the first letter of the name on a quiet tone of the user's hue. */

import { ownPicture } from '../../ui/own-picture.ts'
import { makeOnce } from '../../store/make-once.ts'

interface FaceProps {
  readonly userId: number
  readonly name: string
  readonly picture?: string | null | undefined
  readonly size: 'small' | 'medium' | 'large'
  readonly presence?: 'active' | 'idle' | undefined
}

/** Screen readers skip it, since the name stands beside it. */
export function Face({ userId, name, picture, size, presence }: FaceProps) {
  const address = chosenPicture(picture ?? '')
  return (
    <span class={`face ${size}`} style={{ '--hue': hueOf(userId) }} data-user={userId} aria-hidden="true">
      {address === undefined ? firstLetter(name) : <img src={address} alt="" loading="lazy" />}
      {presence && <i class={`presence ${presence}`} />}
    </span>
  )
}

/** Hues of neighbouring ids lie far apart: the golden angle, in degrees. */
function hueOf(userId: number): number {
  return Math.round((userId * 137.5) % 360)
}

/** The pictures that the server draws of people without one; a letter is there at once, in any script. */
const DRAWN = '/user_avatars/1/drawn/'

/** The address of a picture that this server serves and somebody chose. */
function chosenPicture(address: string): string | undefined {
  const own = ownPicture(address)
  return own?.includes(DRAWN) ? undefined : own
}

const letters = makeOnce(() => new Intl.Segmenter())

/** The first character as people see it, with all of its marks; signs before a name are none of it. */
function firstLetter(name: string): string {
  for (const { segment } of letters().segment(name.replace(/^[^\p{L}\p{N}\p{Emoji}]+/u, '')))
    return segment.toLocaleUpperCase()
  return '?'
}
