/** Views that are rare: their code is loaded when they are first shown. */

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { Waiting } from './waiting.tsx'
import { t } from '../texts/texts.ts'

/** A component whose code comes later. Until then it says so, unless it is quiet; and in any case if it does not come. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): (props: Props) => preact.JSX.Element {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  const problem = signal(false)
  let isLoading = false
  const begin = () => {
    if (isLoading) return
    isLoading = true
    problem.value = false
    load()
      .then((component) => (loaded.value = component))
      .catch(() => {
        isLoading = false
        problem.value = true
      })
  }
  return (props) => {
    const Loaded = loaded.value
    if (Loaded) return <Loaded {...props} />
    if (problem.value)
      return (
        <p class="problem" role="alert">
          {t('Couldn’t load this part of the page.')}{' '}
          <button class="button" onClick={begin}>
            {t('Try again')}
          </button>
        </p>
      )
    begin()
    return isQuiet ? <></> : <Waiting text={t('Loading…')} />
  }
}
