/** The text of a message, with completion of the word before the cursor. */

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { TypingNotifier } from '../../app/typing-notifier.ts'
import type { EditName } from '../../store/composing/edit-text.ts'
import type { Suggestion } from '../../store/composing/suggestion.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { editLast } from './edit-last.ts'
import { MentionMarks } from './mention-marks.tsx'
import { placeholderOf } from './placeholder.ts'
import { enterSends, isSendKey } from '../../ui/is-send-key.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { applyEdit, showText } from './text-area.ts'
import { toolOf } from './toolbar.tsx'
import { useCompletion } from './use-completion.ts'
import { t } from '../../texts/texts.ts'

/** For browsers that do not fit the height to the text. */
const ROWS_MAX = 12

interface MessageAreaProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly place: DraftPlace
  readonly content: string
  readonly isHidden: boolean
  readonly onSend: () => void
  readonly onEdit: (name: EditName) => void
}

export function MessageArea(props: MessageAreaProps) {
  const { area, place, content, isHidden } = props
  const app = useApp()
  const state = useState()
  const listId = useId()
  const { completion, cursor, noteCursor, choose, onKey } = useMessageKeys(props)
  const { suggestions, current } = completion
  const isOpen = suggestions.length > 0
  useLayoutEffect(() => {
    if (area.current) showText(area.current, content)
  }, [content])
  return (
    <div class="area" hidden={isHidden}>
      {isOpen && (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          current={current}
          onPoint={completion.setCurrent}
          onChoose={choose}
        />
      )}
      <MentionMarks area={area} content={content} />
      <textarea
        ref={area}
        rows={Math.min(ROWS_MAX, content.split('\n').length)}
        dir="auto"
        aria-label={t('Message')}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${current}` : undefined}
        enterkeyhint={enterSends(state.user_settings?.enter_sends) ? 'send' : 'enter'}
        placeholder={placeholderOf(state, place)}
        onInput={(event) => {
          const { value } = event.currentTarget
          void app.drafts.change(place, { content: value })
          noteCursor()
          if (value.trim() === '') app.part(TypingNotifier).stop()
          else app.part(TypingNotifier).note(place)
        }}
        onKeyDown={onKey}
        onBlur={() => (cursor.value = undefined)}
      />
      <div class="hidden" role="status">
        {isOpen &&
          t('{count} suggestions, {label} selected', {
            count: suggestions.length,
            label: suggestions[current]?.label ?? '',
          })}
      </div>
    </div>
  )
}

/** The cursor with the completion at it, and the keys of the field. */
function useMessageKeys({ area, place, content, onSend, onEdit }: MessageAreaProps) {
  const app = useApp()
  const { user_settings: settings } = useState()
  /** Undefined while there is no cursor, such as without the focus. */
  const cursor = useSignal<number | undefined>(undefined)
  const completion = useCompletion(place, content, cursor.value)
  const { suggestions, current } = completion
  const noteCursor = () => {
    const { selectionStart, selectionEnd } = area.current ?? {}
    cursor.value = selectionStart === selectionEnd ? selectionStart : undefined
  }
  // Moves of the cursor by keys and pointers have this event only on the document.
  useEffect(() => {
    const note = () => document.activeElement === area.current && noteCursor()
    document.addEventListener('selectionchange', note)
    return () => document.removeEventListener('selectionchange', note)
  }, [])
  const choose = ({ insert }: Suggestion) => {
    const { start: from } = completion
    const to = cursor.value
    if (!area.current || to === undefined) return
    const end = from + insert.length
    applyEdit(area.current, { from, to, insert, start: end, end })
    noteCursor()
  }
  const onKeyOfList = (event: KeyboardEvent): boolean => {
    const suggestion = suggestions[current]
    if (!suggestion || event.ctrlKey || event.metaKey) return false
    const { length } = suggestions
    if (event.key === 'ArrowDown') completion.setCurrent((current + 1) % length)
    else if (event.key === 'ArrowUp') completion.setCurrent((current + length - 1) % length)
    else if (event.key === 'Escape') completion.dismiss()
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) choose(suggestion)
    else return false
    return true
  }
  const onKey = (event: KeyboardEvent) => {
    // While a word is being composed, keys belong to the input method.
    if (event.isComposing) return
    const tool = toolOf(event)
    if (onKeyOfList(event)) event.stopPropagation()
    else if (tool) onEdit(tool)
    else if (event.key === 'ArrowUp' && content === '' && !event.shiftKey && editLast(app, place)) return
    else if (event.key === 'Enter' && isSendKey(event, settings?.enter_sends)) onSend()
    else return
    event.preventDefault()
  }
  return { completion, cursor, noteCursor, choose, onKey }
}
