/** The own picture. */

import type { User } from '../../../packages/client/src/wire-types.ts'
import { uploadOwnPicture } from '../../app/api.ts'
import { useApp, useState } from '../../app/app.ts'
import { PictureSetting } from '../../ui/picture-setting.tsx'
import { Face } from '../people/face.tsx'
import { t } from '../../texts/texts.ts'

export function OwnPicture({ user }: { readonly user: User }) {
  const { api } = useApp()
  const state = useState()
  const mayChange =
    state.is_admin || !(state.realm_avatar_changes_disabled || state.server_avatar_changes_disabled)
  return (
    <PictureSetting
      id="own-picture"
      label={t('Picture')}
      hint={t('PNG, JPEG, GIF or WebP, up to {size} MiB, cropped to a square.', {
        size: state.max_avatar_file_size_mib ?? 0,
      })}
      mayChange={mayChange}
      isUploaded={state.avatar_source === 'U'}
      upload={uploadOwnPicture}
      remove={() => api.call('DELETE /users/me/avatar')}
    >
      <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="large" />
    </PictureSetting>
  )
}
