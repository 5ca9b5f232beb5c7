/** Picks people, groups or channels by their names. */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { t } from '../texts/texts.ts'

/** Names below the field. */
export const OFFERED_MAX = 6

/** One that is chosen. */
interface Chip {
  readonly key: string
  readonly name: string
  readonly remove: () => void
}

/** One that fits the text in the field. */
export interface Offer {
  readonly key: string
  readonly name: string
  readonly mark: VNode
  /** Such as "deactivated". */
  readonly about?: string
  readonly add: () => void
}

interface NamePickerProps {
  readonly label: string
  /** Whether only screen readers get the label, since a heading says it already. */
  readonly isLabelHidden?: boolean
  readonly placeholder: string
  readonly chips: readonly Chip[]
  /** Stands for no chips. */
  readonly emptyText?: string
  /** The names for a text that is not blank; the first `OFFERED_MAX` of them are shown. */
  readonly findOffers: (text: string) => readonly Offer[]
  /** Stands for no offers. */
  readonly noneText: string
  readonly isDisabled?: boolean
}

export function NamePicker(props: NamePickerProps) {
  const { label, isLabelHidden = false, placeholder, chips, emptyText = '', noneText } = props
  const { findOffers, isDisabled = false } = props
  const text = useSignal('')
  const id = useId()
  const sought = text.value.trim()
  const offered = sought === '' ? [] : findOffers(sought).slice(0, OFFERED_MAX)
  const add = (offer: Offer) => {
    offer.add()
    text.value = ''
    document.getElementById(id)?.focus()
  }
  return (
    <div class="field picker">
      {!isLabelHidden && <label for={id}>{label}</label>}
      {chips.length === 0 && emptyText !== '' && <p class="quiet-text">{emptyText}</p>}
      {chips.length > 0 && (
        <ul class="chips">
          {chips.map(({ key, name, remove }) => (
            <li key={key} class="chip">
              <span dir="auto">{name}</span>
              <button
                type="button"
                class="ghost"
                aria-label={t('Remove {name}', { name })}
                disabled={isDisabled}
                onClick={() => {
                  remove()
                  document.getElementById(id)?.focus()
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && (
        <input
          id={id}
          {...(isLabelHidden ? { 'aria-label': label } : {})}
          value={text.value}
          autoComplete="off"
          placeholder={placeholder}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing || sought === '') return
            event.preventDefault()
            const [first] = offered
            if (first) add(first)
          }}
        />
      )}
      {sought !== '' && (
        <ul class="offered">
          {offered.map((offer) => (
            <li key={offer.key}>
              <button type="button" class="row" onClick={() => add(offer)}>
                {offer.mark}
                <span class="name" dir="auto">
                  {offer.name}
                </span>
                {offer.about !== undefined && <small>{offer.about}</small>}
              </button>
            </li>
          ))}
          {offered.length === 0 && <li class="none">{noneText}</li>}
        </ul>
      )}
    </div>
  )
}
