/** Sets the own status: an emoji, a text, and when it ends. */

import { STATUS_TEXT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { statusEnd } from '../../app/status-end.ts'
import { EmojiButton } from '../emoji/emoji-button.tsx'
import { EmojiLook } from '../emoji/emoji-look.tsx'
import type { ReactionEmoji } from '../emoji/emoji-look.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { fullTime } from '../../ui/times.ts'
import { ENDS, endMs } from './status-ends.ts'
import { TextField } from '../../ui/fields.tsx'

/** The choice of the end that was chosen before. */
const FORMER = 'former'

/** Frequent ones, by the names of the server. */
const SUGGESTIONS = [
  ['calendar', '📅', 'In a meeting'],
  ['bus', '🚌', 'On the way'],
  ['sick', '🤒', 'Out sick'],
  ['palm_tree', '🌴', 'On vacation'],
  ['house', '🏠', 'Working from home'],
  ['office', '🏢', 'At the office'],
  ['hamburger', '🍔', 'At lunch'],
  ['headphones', '🎧', 'Concentrating'],
] as const

function wholeEmoji(status: Partial<ReactionEmoji> | undefined): ReactionEmoji | undefined {
  const { emoji_name, emoji_code, reaction_type } = status ?? {}
  return emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : undefined
}

export function StatusDialog() {
  const { api, dialogs } = useApp()
  const state = useState()
  const { user_id: userId = 0 } = state
  const now = state.user_status?.[String(userId)]
  const text = useSignal(now?.status_text ?? '')
  const emojiName = useSignal(now?.emoji_name ?? '')
  // The look of one that is not among the suggestions.
  const chosen = useSignal<ReactionEmoji | undefined>(wholeEmoji(now))
  // The end that this browser knows of stays, unless another one is chosen.
  const setEnd = statusEnd.peek()
  const formerMs = now && setEnd?.userId === userId && setEnd.atMs > Date.now() ? setEnd.atMs : undefined
  const end = useSignal<string>(formerMs === undefined ? 'never' : FORMER)
  const saving = useSaving()
  const id = useId()
  const close = () => (dialogs.status.value = false)
  const set = async (status: { text: string; emojiName: string }, atMs: number | undefined) => {
    const isSaved = await saving.save(() =>
      api.call('POST /users/me/status', { status_text: status.text, emoji_name: status.emojiName }),
    )
    if (!isSaved) return
    statusEnd.value = atMs === undefined ? null : { userId, atMs, ...status }
    close()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void set(
      { text: text.value.trim(), emojiName: emojiName.value },
      end.value === FORMER ? formerMs : endMs(end.value, new Date()),
    )
  }
  const isCustom = emojiName.value !== '' && !SUGGESTIONS.some(([name]) => name === emojiName.value)
  return (
    <Dialog title="Set status" onClose={close}>
      <form class="form" onSubmit={submit}>
        <TextField
          label="Status"
          value={text}
          maxLength={STATUS_TEXT_LENGTH_MAX}
          placeholder="In a meeting"
        />
        <fieldset class="choices status-suggestions">
          <legend>Emoji</legend>
          {isCustom && (
            <button
              type="button"
              aria-pressed="true"
              aria-label={emojiName.value}
              title={emojiName.value}
              onClick={() => (emojiName.value = '')}
            >
              {chosen.value && <EmojiLook emoji={chosen.value} />}
            </button>
          )}
          {SUGGESTIONS.map(([name, character, meaning]) => (
            <button
              key={name}
              type="button"
              title={meaning}
              aria-label={meaning}
              aria-pressed={emojiName.value === name}
              onClick={() => {
                const isChosen = emojiName.peek() === name
                emojiName.value = isChosen ? '' : name
                const isSuggested = SUGGESTIONS.some(([, , one]) => one === text.peek())
                if (!isChosen && (text.peek().trim() === '' || isSuggested)) text.value = meaning
              }}
            >
              {character}
            </button>
          ))}
          <EmojiButton
            onChoose={({ names: [name], code, type }) => {
              emojiName.value = name
              chosen.value = { emoji_name: name, emoji_code: code, reaction_type: type }
            }}
          />
        </fieldset>
        <div class="field">
          <label for={`${id}-end`}>Clear after</label>
          <select
            id={`${id}-end`}
            value={end.value}
            onChange={(event) => (end.value = event.currentTarget.value)}
          >
            {formerMs !== undefined && <option value={FORMER}>{fullTime(formerMs / 1_000)}</option>}
            {ENDS.map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
          <small>This browser clears it, as soon as Parley is open in it at that time or later.</small>
        </div>
        <div class="actions">
          <SavedNote saving={saving} />
          {(now?.status_text || now?.emoji_name) && (
            <button
              type="button"
              class="button"
              onClick={() => void set({ text: '', emojiName: '' }, undefined)}
            >
              Clear status
            </button>
          )}
          <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
