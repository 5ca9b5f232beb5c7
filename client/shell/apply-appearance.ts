/** Applies the user's settings of looks to the page: theme, contrast, size of text, clock, language. */

import { effect, type ReadonlySignal } from '@preact/signals'
import type { OwnSettings } from '../../packages/client/src/wire-types.ts'
import type { State } from '../store/apply.ts'
import { storeLanguage } from '../texts/store-language.ts'
import { setClock } from '../ui/times.ts'
import { deviceSetting } from '../app/device-setting.ts'

type Theme = 'system' | 'light' | 'dark'

const THEMES: Readonly<Record<OwnSettings['color_scheme'], Theme>> = { 1: 'system', 2: 'dark', 3: 'light' }

/** The defaults of the server stand for the text of the design. */
const DEFAULT_SIZE = 16
const DEFAULT_HEIGHT = 122
/** In the unit of the browser's own size of text, which people may have made larger. */
const TEXT_REM = 15 / 16
const TEXT_HEIGHT = 22 / 15

/** The theme is held on the device, too: the page has it before the server answers. */
const theme = deviceSetting<Theme>('theme', {
  start: 'system',
  read: (stored) => Object.values(THEMES).find((one) => one === stored),
})

/** Applies the theme of the last visit. */
export function applyLastTheme(): void {
  showTheme(theme.peek())
}

/** Follows the settings until the signal aborts. */
export function applyAppearance(state: ReadonlySignal<State | undefined>, stop: AbortSignal): void {
  let hasLanguage = false
  const dispose = effect(() => {
    const settings = state.value?.user_settings
    if (!settings) return
    apply(settings)
    const isOther = storeLanguage(settings.default_language)
    // A later choice, perhaps on another device, is for the next page: this one may have something half written.
    if (isOther && !hasLanguage) location.reload()
    hasLanguage = true
  })
  stop.addEventListener('abort', dispose)
}

function apply(settings: OwnSettings): void {
  theme.value = THEMES[settings.color_scheme]
  showTheme(theme.peek())
  setClock(!settings.twenty_four_hour_time)
  const { dataset, style } = document.documentElement
  if (settings.high_contrast_mode) dataset.contrast = 'more'
  else delete dataset.contrast
  style.setProperty('--text-size', `${(settings.web_font_size_px / DEFAULT_SIZE) * TEXT_REM}rem`)
  style.setProperty(
    '--text-height',
    String((settings.web_line_height_percent / DEFAULT_HEIGHT) * TEXT_HEIGHT),
  )
}

function showTheme(now: Theme): void {
  const { dataset } = document.documentElement
  if (now === 'system') delete dataset.theme
  else dataset.theme = now
}
