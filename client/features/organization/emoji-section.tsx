/** The organization's own emoji: they are uploaded, and deactivated. */

import { useSignal } from '@preact/signals'
import type { CustomEmoji } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { mayAddEmoji } from '../../store/derived/account-permissions.ts'
import { nameOf } from '../../store/derived/users.ts'
import { ownPicture } from '../../ui/own-picture.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { AddEmoji } from './add-emoji.tsx'
import { t } from '../../texts/texts.ts'

export function EmojiSection() {
  const state = useState()
  const emoji = Object.values(state.realm_emoji ?? {})
    .filter((one) => !one.deactivated)
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <section class="settings-part" aria-labelledby="emoji">
      <h2 id="emoji">{t('Custom emoji')}</h2>
      {mayAddEmoji(state) && <AddEmoji />}
      {emoji.length === 0 && (
        <p class="empty">{t('No custom emoji yet. Everyone can use the ones you add.')}</p>
      )}
      <ul>
        {emoji.map((one) => (
          <EmojiCard key={one.id} emoji={one} />
        ))}
      </ul>
    </section>
  )
}

function EmojiCard({ emoji }: { readonly emoji: CustomEmoji }) {
  const { api } = useApp()
  const state = useState()
  const isAsked = useSignal(false)
  const { name, author_id: authorId } = emoji
  return (
    <li class="card">
      <img class="emoji-picture" src={ownPicture(emoji.source_url)} alt="" loading="lazy" />
      <div class="card-text">
        <span class="card-name">:{name}:</span>
        {authorId !== null && <small dir="auto">{t('by {name}', { name: nameOf(state, authorId) })}</small>}
      </div>
      {(state.is_admin || authorId === state.user_id) && (
        <button
          class="button small danger"
          aria-label={t('Remove :{name}:', { name })}
          onClick={() => (isAsked.value = true)}
        >
          {t('Remove')}
        </button>
      )}
      {isAsked.value && (
        <Confirm
          title={t('Remove :{name}:?', { name })}
          action={t('Remove')}
          onConfirm={() => api.call('DELETE /realm/emoji/{emoji_name}', { emoji_name: name })}
          onClose={() => (isAsked.value = false)}
        >
          <p>{t('No one will be able to use it. Existing messages and reactions still show it.')}</p>
        </Confirm>
      )}
    </li>
  )
}
