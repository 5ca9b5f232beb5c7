/** Emoji in groups; one of them is the current one of the search field. */

import type { Emoji } from '../../../store/emoji/emoji.ts'
import type { EmojiGroup } from '../../../store/emoji/emoji-groups.ts'
import { EmojiMark } from '../emoji-mark.tsx'
import { t } from '../../../texts/texts.ts'

interface EmojiGridProps {
  readonly id: string
  readonly groups: readonly EmojiGroup[]
  /** The place of the current one among all. */
  readonly current: number
  readonly onChoose: (emoji: Emoji) => void
}

export function EmojiGrid({ id, groups, current, onChoose }: EmojiGridProps) {
  let place = 0
  return (
    <div class="emoji-list" role="listbox" id={id} aria-label={t('Emoji')} tabIndex={-1}>
      {groups.map(({ name, emoji }) => (
        <div class="emoji-group" role="group" aria-label={name} key={name}>
          <div class="emoji-heading" aria-hidden="true">
            {name}
          </div>
          <div class="emoji-cells" role="presentation">
            {emoji.map((one) => {
              const own = place++
              return (
                <button
                  key={one.code}
                  type="button"
                  role="option"
                  id={`${id}-${own}`}
                  data-place={own}
                  tabIndex={-1}
                  title={`:${one.names[0]}:`}
                  aria-label={one.names[0].replaceAll('_', ' ')}
                  aria-selected={own === current}
                  onClick={() => onChoose(one)}
                >
                  <EmojiMark emoji={one} />
                </button>
              )
            })}
          </div>
        </div>
      ))}
    </div>
  )
}
