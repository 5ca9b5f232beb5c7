/**
 * Other ways to log in within the desktop application: they begin in the system's browser, which has the person's
 * passkeys and sessions, and end with a token that the person copies.
 */

import { useSignal } from '@preact/signals'
import { useApi } from '../../app/api.ts'
import { problemText } from '../../ui/toasts.tsx'
import { type Method, MethodIcon } from './method-icon.tsx'
import { t } from '../../texts/texts.ts'

/** The part of the application's object that we use. */
interface Bridge {
  /** A key, and the first text of the clipboard that it decrypts. */
  decrypt_clipboard(version: 1): { readonly key: Uint8Array; readonly pasted: Promise<string> }
}

/** The desktop application's object, if it can do this. */
export function findBridge(): Bridge | undefined {
  const bridge = Reflect.get(globalThis, 'electron_bridge') as Partial<Bridge> | undefined
  return typeof bridge?.decrypt_clipboard === 'function' ? (bridge as Bridge) : undefined
}

interface DesktopWaysProps {
  readonly methods: readonly Method[]
  readonly bridge: Bridge
  readonly onLoggedIn: () => void
}

export function DesktopWays({ methods, bridge, onLoggedIn }: DesktopWaysProps) {
  const api = useApi()
  const isWaiting = useSignal(false)
  const problem = useSignal('')
  const begin = async (url: string) => {
    problem.value = ''
    const { key, pasted } = bridge.decrypt_clipboard(1)
    const pad = Array.from(key, (byte) => byte.toString(16).padStart(2, '0')).join('')
    // The application opens other windows in the system's browser.
    window.open(`${url}?desktop_flow_otp=${pad}`, '_blank')
    isWaiting.value = true
    try {
      await api.call('POST /login/desktop', { token: await pasted })
      onLoggedIn()
    } catch (error) {
      problem.value = problemText(error)
    } finally {
      isWaiting.value = false
    }
  }
  return (
    <section class="other-ways" aria-label={t('Other ways to log in')}>
      <p class="or">{t('or')}</p>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {isWaiting.value && <p role="status">{t('Log in there, then copy the token: this page takes it.')}</p>}
      {methods.map(({ name, display_name: displayName, display_icon: picture, login_url: url }) => (
        <button key={name} type="button" class="button" onClick={() => void begin(url)}>
          <MethodIcon picture={picture} />
          {t('Log in with {name}', { name: displayName })}
        </button>
      ))}
    </section>
  )
}
