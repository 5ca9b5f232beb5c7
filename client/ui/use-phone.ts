/** Whether the page is as narrow as on a phone; the view is drawn again when that changes. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isPhone, PHONE } from '../features/panel/panel-shown.ts'

export function usePhone(): boolean {
  const isNarrow = useSignal(isPhone())
  useEffect(() => {
    const phone = matchMedia(PHONE)
    const follow = () => (isNarrow.value = phone.matches)
    phone.addEventListener('change', follow)
    return () => phone.removeEventListener('change', follow)
  }, [])
  return isNarrow.value
}
