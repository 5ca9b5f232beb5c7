/** Actions on a person. */

import type { User } from '../../../../packages/client/src/wire-types.ts'
import { mutedPeople } from '../../../store/derived/muted-people.ts'
import { ofDirect, term } from '../../../store/narrows/narrow.ts'
import { type Action, always } from '../../../ui/action.ts'
import type { App } from '../../../app/app.ts'
import { t } from '../../../texts/texts.ts'

const isOwn = (app: App, { user_id }: User) => user_id === app.ownId

const message: Action<User> = {
  name: 'message',
  label: (app, user) => (isOwn(app, user) ? t('Notes to yourself') : t('Message')),
  may: (_, { is_active }) => is_active,
  to: (app, user) => ({ view: 'narrow', narrow: ofDirect(isOwn(app, user) ? [] : [user.user_id]) }),
}

const sent: Action<User> = {
  name: 'sent',
  label: t('Messages sent'),
  may: always,
  to: (_, { user_id }) => ({ view: 'narrow', narrow: [term('sender', user_id)] }),
}

const setStatus: Action<User> = {
  name: 'set-status',
  label: t('Set status'),
  may: isOwn,
  run: (app) => void (app.dialogs.status.value = true),
}

const mute: Action<User> = {
  name: 'mute',
  label: (app, { user_id }) => (mutedPeople(app.state.peek()).has(user_id) ? t('Unmute') : t('Mute')),
  may: (app, user) => !isOwn(app, user),
  run: (app, { user_id: id }) =>
    mutedPeople(app.state.peek()).has(id)
      ? app.api.call('DELETE /users/me/muted_users/{muted_user_id}', { muted_user_id: id })
      : app.api.call('POST /users/me/muted_users/{muted_user_id}', { muted_user_id: id }),
}

export const PERSON_ACTIONS: readonly Action<User>[] = [message, sent, setStatus, mute]
