/** Buttons that format the selected text. */

import type { EditName } from '../../store/composing/edit-text.ts'
import { RareIcon, type RareIconName } from '../../ui/rare-icon.tsx'
import { t } from '../../texts/texts.ts'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)

interface Tool {
  readonly name: EditName
  readonly icon: RareIconName
  readonly text: string
  /** The key together with Ctrl, or Cmd on a Mac. */
  readonly key?: string
  readonly hasShift?: boolean
}

const TOOLS: readonly Tool[] = [
  { name: 'bold', icon: 'bold', text: t('Bold'), key: 'b' },
  { name: 'italic', icon: 'italic', text: t('Italic'), key: 'i' },
  { name: 'code', icon: 'code', text: t('Code'), key: 'c', hasShift: true },
  { name: 'link', icon: 'link', text: t('Link'), key: 'l', hasShift: true },
  { name: 'bullets', icon: 'bullets', text: t('Bulleted list') },
  { name: 'numbers', icon: 'numbers', text: t('Numbered list') },
  { name: 'quote', icon: 'quote', text: t('Quote') },
  { name: 'spoiler', icon: 'eye-off', text: t('Spoiler') },
]

/** The tool whose shortcut an event is. */
export function toolOf(event: KeyboardEvent): EditName | undefined {
  if (event.altKey || !(IS_APPLE ? event.metaKey : event.ctrlKey)) return undefined
  const key = event.key.toLowerCase()
  return TOOLS.find((tool) => tool.key === key && (tool.hasShift ?? false) === event.shiftKey)?.name
}

export function Toolbar({ onChoose }: { readonly onChoose: (name: EditName) => void }) {
  return (
    <div class="tools for-use" role="group" aria-label={t('Formatting')}>
      {TOOLS.map((tool) => (
        <button
          key={tool.name}
          type="button"
          class="ghost"
          aria-label={tool.text}
          title={tool.text + shortcutOf(tool)}
          // The text keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(tool.name)}
        >
          <RareIcon name={tool.icon} />
        </button>
      ))}
    </div>
  )
}

function shortcutOf({ key, hasShift }: Tool): string {
  if (key === undefined) return ''
  const keys = [IS_APPLE ? '⌘' : 'Ctrl', ...(hasShift ? ['Shift'] : []), key.toUpperCase()]
  return ` (${keys.join('+')})`
}
