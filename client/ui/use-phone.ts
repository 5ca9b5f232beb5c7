/** Whether the page is as narrow as on a phone, which shows one column at a time. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

const PHONE = '(max-width: 640px)'

export const isPhone = () => matchMedia(PHONE).matches

/** The view is drawn again when it changes. */
export function usePhone(): boolean {
  const isNarrow = useSignal(isPhone())
  // At once: a change between the first drawing and an effect after its painting would be missed.
  useLayoutEffect(() => {
    const phone = matchMedia(PHONE)
    const follow = () => (isNarrow.value = phone.matches)
    phone.addEventListener('change', follow)
    return () => phone.removeEventListener('change', follow)
  }, [])
  return isNarrow.value
}
