/** The picture in a request about a bot. */

import { IMAGE_ERRORS, makePicture, type PictureMaking } from '../../../changes/pictures/make-picture.ts'
import { type AVATAR_ERRORS, checkAvatarChanges } from '../../../decisions/users/change-avatar.ts'
import { AVATAR_MIB_MAX } from '../../../domain/limits.ts'
import type { PictureId } from '../../../domain/files/pictures.ts'
import type { Fail } from '../../../errors/api-error.ts'
import type { Scope } from '../../../decisions/scope.ts'

/** The rule for its file. */
export const BOT_PICTURE_FILE = {
  description: "The bot's picture, as for `POST /users/me/avatar`; left out for none.",
  mibMax: AVATAR_MIB_MAX,
  isOptional: true,
} as const

/** How a picture can be refused, besides the errors of the decisions. */
export const BOT_PICTURE_ERRORS = ['UPLOAD_COUNT', ...IMAGE_ERRORS] as const
type PictureFail = Fail<(typeof BOT_PICTURE_ERRORS | typeof AVATAR_ERRORS)[number]>

/** Makes the picture; undefined if there is none. Runs after the other checks, since it is expensive. */
export async function makeBotPicture(
  services: PictureMaking,
  {
    state,
    caller,
    fail,
  }: Pick<Scope, 'state' | 'caller'> & {
    readonly fail: PictureFail
  },
  [file, ...others]: readonly Uint8Array[],
): Promise<PictureId | undefined> {
  if (others.length > 0) throw fail('UPLOAD_COUNT')
  if (!file) return undefined
  checkAvatarChanges({ state, caller, fail })
  const { id } = await makePicture(services, { kind: 'avatar', file, userId: caller.id }, fail)
  return id
}
