/** The reactions below a message: how many, who, and a click to join. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { EmojiLook } from '../emoji/emoji-look.tsx'
import { groupReactions, toggleReaction } from './react.ts'
import { lazy } from '../../ui/lazy.tsx'
import { makeOnce } from '../../store/make-once.ts'
import { locale, t } from '../../texts/texts.ts'

const AddReaction = lazy(async () => (await import('./add-reaction.tsx')).AddReaction, { isQuiet: true })

/** Names in a title; the others are counted. */
const NAMES_MAX = 12
const [FIRST_STRONG_ISOLATE, POP] = ['\u2068', '\u2069']
const listFormat = makeOnce(() => new Intl.ListFormat(locale, { type: 'conjunction' }))

export function Reactions({ message }: { readonly message: Message }) {
  const app = useApp()
  if (message.reactions.length === 0) return null
  const users = app.users.value
  const ownId = app.ownId
  const sent = new Map(message.reactions.map(({ user_id: id, user }) => [id, user?.full_name]))
  const nameOf = (id: number) =>
    id === ownId ? t('You') : (users.get(id)?.full_name ?? sent.get(id) ?? t('Unknown user'))
  return (
    <ul class="reactions" aria-label={t('Reactions')}>
      {groupReactions(message.reactions).map(({ emoji, userIds }) => {
        const isOwn = userIds.includes(ownId)
        const ordered = isOwn ? [ownId, ...userIds.filter((id) => id !== ownId)] : userIds
        const names = ordered.slice(0, NAMES_MAX).map(nameOf)
        const others = ordered.length - names.length
        const say = (shown: readonly string[]) =>
          t('{names} reacted with {emoji}', {
            names: listFormat().format(
              others > 0 ? [...shown, t('{count} others', { count: others })] : shown,
            ),
            emoji: emoji.emoji_name.replaceAll('_', ' '),
          })
        const text = say(names)
        return (
          <li key={`${emoji.reaction_type} ${emoji.emoji_code}`}>
            <button
              type="button"
              class={isOwn ? 'pill own' : 'pill'}
              title={say(names.map(isolate))}
              aria-pressed={app.isVisitor ? undefined : isOwn}
              disabled={app.isVisitor}
              onClick={() => void toggleReaction(app, message, emoji)}
            >
              <EmojiLook emoji={emoji} />
              <b aria-hidden="true">{userIds.length}</b>
              <span class="hidden">{text}</span>
            </button>
          </li>
        )
      })}
      {!app.isVisitor && <AddReaction message={message} />}
    </ul>
  )
}

/** A name that doesn't turn the text beside it, nor is turned: titles have no elements. */
function isolate(name: string): string {
  return `${FIRST_STRONG_ISOLATE}${name}${POP}`
}
