/** The members of a channel; people who may, add and remove some. */

import { useSignal } from '@preact/signals'
import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { membersOf } from '../../store/derived/members.ts'
import { mayAddPeople, mayRemove } from '../../store/derived/membership-permissions.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { showError } from '../../ui/toasts.tsx'
import { PersonRow } from '../people/person-row.tsx'
import { t } from '../../texts/texts.ts'

/** Members at first; a channel may have thousands. */
const SHOWN_MAX = 50

export function ChannelMembers({ channel }: { readonly channel: Channel }) {
  const { api } = useApp()
  const state = useState()
  const chosen = useSignal<readonly number[]>([])
  const shown = useSignal(SHOWN_MAX)
  const saving = useSaving()
  const { stream_id: channelId, name } = channel
  const members = membersOf(state, channelId)
  const add = () =>
    saving.save(async () => {
      await api.call('POST /users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: chosen.peek(),
      })
      chosen.value = []
    })
  const remove = (userId: number) =>
    void api
      .call('DELETE /users/me/subscriptions', { subscriptions: [name], principals: [userId] })
      .catch(showError)
  return (
    <section class="settings-part" aria-labelledby="channel-members">
      <h3 id="channel-members">
        {t('{count, plural, one {# member} other {# members}}', { count: channel.subscriber_count })}
      </h3>
      {!channel.is_archived && mayAddPeople(state, channelId) && (
        <>
          <PeoplePicker
            label={t('Add people')}
            chosen={chosen.value}
            onChange={(ids) => (chosen.value = ids)}
            without={members.map(({ user_id }) => user_id)}
          />
          <div class="actions start">
            <button class="button primary" disabled={chosen.value.length === 0} onClick={() => void add()}>
              {t('Add')}
            </button>
            <SavedNote saving={saving} />
          </div>
        </>
      )}
      <ul class="people">
        {members.slice(0, shown.value).map((user) => (
          <PersonRow key={user.user_id} user={user}>
            {mayRemove(state, channelId, user) && (
              <button
                class="button small"
                aria-label={t('Remove {name}', { name: user.full_name })}
                onClick={() => remove(user.user_id)}
              >
                {t('Remove')}
              </button>
            )}
          </PersonRow>
        ))}
      </ul>
      {members.length > shown.value && (
        <button class="button" onClick={() => (shown.value += SHOWN_MAX)}>
          {t('Show more')}
        </button>
      )}
    </section>
  )
}
