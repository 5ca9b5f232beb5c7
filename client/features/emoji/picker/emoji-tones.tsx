/** The skin tone of emoji: a hand that shows it, and the others on demand. */

import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useApp } from '../../../app/app.ts'
import { EmojiTable } from '../../../app/emoji-table.ts'
import { charactersOf } from '../../../store/emoji/emoji.ts'
import type { SkinTone } from '../../../store/emoji/skin-tone.ts'
import { t } from '../../../texts/texts.ts'

/** Tones with their names. */
const SKIN_TONES: readonly (readonly [SkinTone, string])[] = [
  ['', t('Default')],
  ['1f3fb', t('Light')],
  ['1f3fc', t('Medium-light')],
  ['1f3fd', t('Medium')],
  ['1f3fe', t('Medium-dark')],
  ['1f3ff', t('Dark')],
]

const HAND = '270b'

export function EmojiTones() {
  const { tone } = useApp().part(EmojiTable)
  const isOpen = useSignal(false)
  const name = useId()
  const tones = useRef<HTMLFieldSetElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen.value) tones.current?.querySelector<HTMLInputElement>('input:checked')?.focus()
  }, [isOpen.value])
  const close = () => {
    isOpen.value = false
    requestAnimationFrame(() => button.current?.focus())
  }
  if (!isOpen.value)
    return (
      <button
        ref={button}
        type="button"
        class="ghost emoji-tone"
        title={t('Skin tone')}
        aria-label={t('Skin tone: {tone}', {
          tone: SKIN_TONES.find(([one]) => one === tone.value)?.[1] ?? '',
        })}
        onClick={() => (isOpen.value = true)}
      >
        {hand(tone.value)}
      </button>
    )
  return (
    <fieldset
      ref={tones}
      class="emoji-tones"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // Escape closes one thing at a time.
        event.preventDefault()
        close()
      }}
    >
      <legend class="hidden">{t('Skin tone')}</legend>
      {SKIN_TONES.map(([one, text]) => (
        <label key={one} title={text} class="emoji-tone">
          <input
            type="radio"
            name={name}
            class="hidden"
            aria-label={text}
            checked={one === tone.value}
            onChange={() => (tone.value = one)}
            // A pointer chooses for good; arrows may go on.
            onClick={(event) => event.detail > 0 && close()}
          />
          {hand(one)}
        </label>
      ))}
    </fieldset>
  )
}

function hand(tone: SkinTone) {
  return (
    <span class="emoji-mark" aria-hidden="true">
      {charactersOf(tone === '' ? HAND : `${HAND}-${tone}`)}
    </span>
  )
}
