/** Sets the own status: an emoji, a text, and when it ends. */

import { STATUS_TEXT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import { type Signal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { statusEnd } from '../../app/status-end.ts'
import { EmojiButton } from '../emoji/emoji-button.tsx'
import { EmojiLook } from '../emoji/emoji-look.tsx'
import type { ReactionEmoji } from '../emoji/emoji-look.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { fullTime } from '../../ui/times.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

/** The times after which a status ends. */
const ENDS = [
  ['never', t('Never')],
  ['30', t('30 minutes')],
  ['60', t('1 hour')],
  ['240', t('4 hours')],
  ['today', t('Today')],
  ['week', t('This week')],
] as const

const MINUTE_MS = 60_000

/** The choice of the end that was chosen before. */
const FORMER = 'former'

/** Frequent ones, by the names of the server. */
const SUGGESTIONS = [
  ['calendar', '📅', t('In a meeting')],
  ['bus', '🚌', t('On the way')],
  ['sick', '🤒', t('Out sick')],
  ['palm_tree', '🌴', t('On vacation')],
  ['house', '🏠', t('Working from home')],
  ['office', '🏢', t('At the office')],
  ['hamburger', '🍔', t('At lunch')],
  ['headphones', '🎧', t('Focusing')],
] as const

function wholeEmoji(status: Partial<ReactionEmoji> | undefined): ReactionEmoji | undefined {
  const { emoji_name, emoji_code, reaction_type } = status ?? {}
  return emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : undefined
}

export function StatusDialog() {
  const status = useOwnStatus()
  const { text, end, formerMs, saving } = status
  return (
    <Dialog title={t('Set status')} onClose={status.close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void status.submit()
        }}
      >
        <TextField
          label={t('Status')}
          value={text}
          maxLength={STATUS_TEXT_LENGTH_MAX}
          placeholder={t('In a meeting')}
        />
        <StatusEmoji text={text} emojiName={status.emojiName} emoji={status.emoji} />
        <SelectField
          label={t('Clear after')}
          hint={t('Parley clears it once it is open in this browser at that time or later.')}
          value={end}
          options={[
            ...(formerMs === undefined ? [] : [[FORMER, fullTime(formerMs / 1_000)] as const]),
            ...ENDS,
          ]}
        />
        <div class="actions">
          <SavedNote saving={saving} />
          {status.isSet && (
            <button type="button" class="button" onClick={() => void status.clear()}>
              {t('Clear status')}
            </button>
          )}
          <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
            {t('Save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The fields of the dialog, and what saves them. */
function useOwnStatus() {
  const { api, dialogs } = useApp()
  const { user_id: userId = 0, user_status } = useState()
  const now = user_status?.[String(userId)]
  const text = useSignal(now?.status_text ?? '')
  const emojiName = useSignal(now?.emoji_name ?? '')
  const emoji = useSignal<ReactionEmoji | undefined>(wholeEmoji(now))
  // The end that this browser knows of stays, unless another one is chosen.
  const setEnd = statusEnd.peek()
  const formerMs = now && setEnd?.userId === userId && setEnd.atMs > Date.now() ? setEnd.atMs : undefined
  const end = useSignal<string>(formerMs === undefined ? 'never' : FORMER)
  const saving = useSaving()
  const close = () => (dialogs.status.value = false)
  const set = async (status: { text: string; emojiName: string }, atMs: number | undefined) => {
    const isSaved = await saving.save(() =>
      api.call('POST /users/me/status', { status_text: status.text, emoji_name: status.emojiName }),
    )
    if (!isSaved) return
    statusEnd.value = atMs === undefined ? null : { userId, atMs, ...status }
    close()
  }
  const submit = () =>
    set(
      { text: text.value.trim(), emojiName: emojiName.value },
      end.value === FORMER ? formerMs : endMs(end.value, new Date()),
    )
  const clear = () => set({ text: '', emojiName: '' }, undefined)
  const isSet = Boolean(now?.status_text) || Boolean(now?.emoji_name)
  return { text, emojiName, emoji, end, formerMs, isSet, saving, close, submit, clear }
}

interface StatusEmojiProps {
  readonly text: Signal<string>
  readonly emojiName: Signal<string>
  /** The look of one that is not among the suggestions. */
  readonly emoji: Signal<ReactionEmoji | undefined>
}

function StatusEmoji({ text, emojiName, emoji }: StatusEmojiProps) {
  const isCustom = emojiName.value !== '' && !SUGGESTIONS.some(([name]) => name === emojiName.value)
  const toggle = (name: string, meaning: string) => {
    const isChosen = emojiName.peek() === name
    emojiName.value = isChosen ? '' : name
    const isSuggested = SUGGESTIONS.some(([, , one]) => one === text.peek())
    if (!isChosen && (text.peek().trim() === '' || isSuggested)) text.value = meaning
  }
  return (
    <fieldset class="choices status-suggestions">
      <legend>{t('Emoji')}</legend>
      {isCustom && (
        <button
          type="button"
          aria-pressed="true"
          aria-label={emojiName.value}
          title={emojiName.value}
          onClick={() => (emojiName.value = '')}
        >
          {emoji.value && <EmojiLook emoji={emoji.value} />}
        </button>
      )}
      {SUGGESTIONS.map(([name, character, meaning]) => (
        <button
          key={name}
          type="button"
          title={meaning}
          aria-label={meaning}
          aria-pressed={emojiName.value === name}
          onClick={() => toggle(name, meaning)}
        >
          {character}
        </button>
      ))}
      <EmojiButton
        onChoose={({ names: [name], code, type }) => {
          emojiName.value = name
          emoji.value = { emoji_name: name, emoji_code: code, reaction_type: type }
        }}
      />
    </fieldset>
  )
}

/** The end of a choice; undefined for `never`. Weeks end with Sunday. */
function endMs(choice: string, now: Date): number | undefined {
  if (choice === 'never') return undefined
  if (choice === 'today' || choice === 'week') {
    const days = choice === 'today' ? 1 : 7 - ((now.getDay() + 6) % 7)
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime()
  }
  return now.getTime() + Number(choice) * MINUTE_MS
}
