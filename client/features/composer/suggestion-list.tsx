/** The suggestions for the word before the cursor; the focus stays in the text. */

import { useEffect, useRef } from 'preact/hooks'
import type { Suggestion } from '../../store/composing/suggestion.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { EmojiMark } from '../emoji/emoji-mark.tsx'
import { Face } from '../people/face.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { t } from '../../texts/texts.ts'

interface SuggestionListProps {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly current: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (suggestion: Suggestion) => void
}

export function SuggestionList({ id, suggestions, current, onPoint, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div class="suggestions" role="listbox" id={id} aria-label={t('Suggestions')} ref={list}>
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.key}
          id={`${id}-${index}`}
          class="suggestion"
          role="option"
          aria-selected={index === current}
          onMouseMove={() => index !== current && onPoint(index)}
          // The text keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(suggestion)
          }}
        >
          <Mark suggestion={suggestion} />
          <b dir="auto">{suggestion.label}</b>
          <small dir="auto">{suggestion.detail}</small>
        </div>
      ))}
    </div>
  )
}

function Mark({ suggestion: { mark, label } }: { readonly suggestion: Suggestion }) {
  switch (mark.kind) {
    case 'user':
      return <Face userId={mark.userId} name={label} picture={mark.picture} size="small" />
    case 'group':
    case 'wildcard':
      return <Icon name="people" />
    case 'channel':
      return <ChannelMark channelId={mark.channelId} />
    case 'topic':
      return <Icon name="topic" />
    case 'emoji':
      return <EmojiMark emoji={mark.emoji} />
    case 'command':
      return <RareIcon name="code" />
  }
}
