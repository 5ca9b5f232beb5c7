/** A person in a list: face, name and presence; a click opens the profile. */

import type { ComponentChildren } from 'preact'
import type { User } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { isMarkedGuest } from '../../store/derived/guests.ts'
import { Face } from './face.tsx'
import { shownPresence } from './shown-presence.ts'
import { StatusEmoji } from './status-text.tsx'
import { t } from '../../texts/texts.ts'

interface PersonRowProps {
  readonly user: User
  /** Beside the name of people without a status. */
  readonly note?: string | undefined
  readonly children?: ComponentChildren
}

export function PersonRow({ user, note, children }: PersonRowProps) {
  const app = useApp()
  const state = useState()
  const status = state.user_status?.[String(user.user_id)]
  return (
    <li class="person">
      <button type="button" class="row" data-user={user.user_id}>
        <Face
          userId={user.user_id}
          name={user.full_name}
          picture={user.avatar_url}
          size="small"
          presence={shownPresence(app, user.user_id)}
        />
        <span class="name" dir="auto">
          {user.full_name}
        </span>
        {isMarkedGuest(state, user.user_id) && <small class="badge">{t('guest')}</small>}
        {status?.status_text || status?.emoji_code ? (
          <small dir="auto" class="name">
            <StatusEmoji userId={user.user_id} /> {status.status_text}
          </small>
        ) : (
          note !== undefined && <small class="name">{note}</small>
        )}
      </button>
      {children}
    </li>
  )
}
