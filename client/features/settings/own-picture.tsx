/** The own picture: another one is shown before it is uploaded. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { uploadOwnPicture } from '../../app/api.ts'
import { useApp, useState } from '../../app/app.ts'
import { Face } from '../people/face.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'

export function OwnPicture({ user }: { readonly user: User }) {
  const { api } = useApp()
  const state = useState()
  const chosen = useSignal<{ readonly file: File; readonly preview: string } | undefined>(undefined)
  const saving = useSaving()
  const input = useRef<HTMLInputElement>(null)
  const mayChange =
    state.is_admin || !(state.realm_avatar_changes_disabled || state.server_avatar_changes_disabled)
  const drop = () => {
    if (chosen.peek()) URL.revokeObjectURL(chosen.peek()?.preview ?? '')
    chosen.value = undefined
    if (input.current) input.current.value = ''
  }
  useEffect(() => drop, [])
  const upload = async (file: File) => {
    if (await saving.save(() => uploadOwnPicture(file))) drop()
  }
  const now = chosen.value
  return (
    <div class="picture-setting">
      {now ? (
        <span class="face large">
          <img src={now.preview} alt="The chosen picture" />
        </span>
      ) : (
        <Face userId={user.user_id} name={user.full_name} picture={user.avatar_url} size="large" />
      )}
      <div>
        <input
          ref={input}
          id="own-picture"
          class="hidden"
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          tabIndex={-1}
          aria-label="Picture"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) chosen.value = { file, preview: URL.createObjectURL(file) }
          }}
        />
        <div class="actions start">
          {now ? (
            <>
              <button class="button primary" onClick={() => void upload(now.file)}>
                Use this picture
              </button>
              <button class="button" onClick={drop}>
                Cancel
              </button>
            </>
          ) : (
            <>
              <button class="button" disabled={!mayChange} onClick={() => input.current?.click()}>
                Choose a picture
              </button>
              {state.avatar_source === 'U' && (
                <button
                  class="button"
                  disabled={!mayChange}
                  onClick={() => void saving.save(() => api.call('DELETE /users/me/avatar'))}
                >
                  Remove
                </button>
              )}
            </>
          )}
        </div>
        <p class="quiet-text">
          PNG, JPEG, GIF or WebP, at most {state.max_avatar_file_size_mib} MiB; its middle is used.
        </p>
        <SavedNote saving={saving} />
      </div>
    </div>
  )
}
