/** One field over everything: places, people, messages and commands, by keyboard and on a phone. */

import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '../app/app.ts'
import { loadAllTopics } from '../features/search/search-engine.ts'
import { Icon } from '../ui/icon.tsx'
import { PaletteRow } from './palette-row.tsx'
import { type PaletteItem, paletteGroups, searchItem } from './palette-items.ts'
import { t } from '../texts/texts.ts'

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const id = useId()
  const { dialog, text, active, run, groups, items, onKey } = usePalette(onClose)
  let index = 0
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t('Search or go to')}
      onClose={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="palette-body">
        <div class="palette-field">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label={t('Search or go to')}
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={items.length > 0 ? `${id}-${active.value}` : undefined}
            placeholder={t('Where to?')}
            autoComplete="off"
            dir="auto"
            maxLength={200}
            enterKeyHint="go"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
              active.value = 0
            }}
            onKeyDown={onKey}
          />
          <button class="ghost palette-close" aria-label={t('Close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <div class="palette-list" id={`${id}-list`} role="listbox" aria-label={t('Results')} tabIndex={-1}>
          {groups.map(({ title, items: own }) => (
            <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
              <h3 id={`${id}-${title}`} role="presentation">
                {title}
              </h3>
              {own.map((item) => {
                const at = index++
                return (
                  <PaletteRow
                    key={item.key}
                    id={`${id}-${at}`}
                    item={item}
                    isActive={at === active.value}
                    onPoint={() => (active.value = at)}
                    onChoose={() => run(item)}
                  />
                )
              })}
            </div>
          ))}
        </div>
        {!app.isVisitor && <Keys />}
      </div>
    </dialog>
  )
}

/** The typed text, what it finds, and the keys of the field. */
function usePalette(onClose: () => void) {
  const app = useApp()
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const active = useSignal(0)
  const loads = useSignal(0)
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  useEffect(() => loadAllTopics(app, () => void loads.value++), [app])
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active.value])
  // Topics that have just come are among those found.
  void loads.value
  const groups = paletteGroups(app, text.value)
  const items = groups.flatMap((group) => group.items)
  const run = (item: PaletteItem) => {
    onClose()
    // The focus is back where it was: a command may move it.
    setTimeout(item.run)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const query = text.value.trim()
    if (step !== undefined && items.length > 0)
      active.value = (active.value + step + items.length) % items.length
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && query !== '')
      run(searchItem(app, query))
    else if (event.key === 'Enter') {
      const chosen = items[active.value]
      if (chosen) run(chosen)
    } else return
    event.preventDefault()
  }
  return { dialog, text, active, run, groups, items, onKey }
}

const KEYS = [
  ['↑ ↓', t('choose')],
  ['Enter', t('open')],
  ['#', t('channels')],
  ['@', t('people')],
  ['>', t('commands')],
] as const

function Keys() {
  return (
    <footer aria-hidden="true">
      {KEYS.map(([keys, text]) => (
        <span key={text}>
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}{' '}
          {text}
        </span>
      ))}
    </footer>
  )
}
