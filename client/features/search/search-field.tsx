/** The search at the side: a field with suggestions, which lead to a place or to results. */

import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import type { Suggestion } from '../../store/search/suggest-search.ts'
import { useHandle } from '../../ui/use-handle.ts'
import { Icon } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { SearchEngine } from './search-engine.ts'
import { t } from '../../texts/texts.ts'

/** The code that reads and suggests comes when the field is first used. */
const loadEngine = async () => (await import('./search-engine.ts')).searchEngine

export function SearchField() {
  const app = useApp()
  const id = useId()
  const search = useSearch()
  const { text, active, isOpen, suggestions } = search
  return (
    <form
      class="search-field"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        search.run()
      }}
    >
      <Icon name="search" />
      <input
        ref={search.input}
        type="text"
        role="combobox"
        enterKeyHint="search"
        aria-label={t('Search')}
        aria-expanded={suggestions.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active.value < 0 ? undefined : `${id}-${active.value}`}
        placeholder={t('Search')}
        autoComplete="off"
        dir="auto"
        maxLength={1_000}
        value={text.value}
        onFocus={search.open}
        onBlur={search.close}
        onInput={(event) => {
          text.value = event.currentTarget.value
          isOpen.value = true
          active.value = -1
        }}
        onKeyDown={search.onKey}
      />
      {!app.isVisitor && <kbd aria-hidden="true">/</kbd>}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('Suggestions')}
        class="search-suggestions"
        hidden={suggestions.length === 0}
      >
        {suggestions.map((one, index) => (
          <div
            key={one.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            class={`search-suggestion ${one.kind}`}
            aria-selected={index === active.value}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => search.choose(one)}
          >
            <span dir="auto">{one.label}</span>
            <small dir="auto">{one.detail}</small>
          </div>
        ))}
      </div>
    </form>
  )
}

/** The typed search and its suggestions. */
function useSearch() {
  const app = useApp()
  const state = useState()
  const input = useRef<HTMLInputElement>(null)
  const engine = useSignal<SearchEngine | undefined>(undefined)
  const text = useSignal('')
  const isOpen = useSignal(false)
  const active = useSignal(-1)
  const route = app.router.route.value
  useEffect(() => {
    text.value = engine.value?.textOf(state, route) ?? ''
  }, [route])
  useHandle('search', () => ({ focus: () => input.current?.focus() }))
  const suggestions = isOpen.value ? (engine.value?.suggest(app, text.value) ?? []) : []
  const open = () => {
    isOpen.value = true
    loadEngine().then((one) => (engine.value = one), showError)
  }
  const close = () => {
    isOpen.value = false
    active.value = -1
  }
  const leave = () => {
    close()
    input.current?.blur()
  }
  const run = () => {
    const typed = text.value.trim()
    if (typed === '') return
    leave()
    loadEngine()
      .then((one) => one.run(app, typed))
      .catch(showError)
  }
  const choose = ({ narrow, text: chosen, kind }: Suggestion) => {
    text.value = narrow ? '' : chosen
    active.value = -1
    if (narrow) {
      leave()
      app.router.go({ view: 'narrow', narrow })
    } else if (kind === 'recent') run()
    else input.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.isComposing) return
    if (step !== undefined && suggestions.length > 0) {
      const count = suggestions.length + 1
      active.value = ((active.value + 1 + step + count) % count) - 1
    } else if (event.key === 'Enter') {
      const chosen = suggestions[active.value]
      if (chosen) choose(chosen)
      else run()
    } else if (event.key === 'Escape') {
      if (!isOpen.value || text.value === '') app.handles.focusHeading()
      if (!isOpen.value) text.value = ''
      close()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { input, text, isOpen, active, suggestions, open, close, run, choose, onKey }
}
