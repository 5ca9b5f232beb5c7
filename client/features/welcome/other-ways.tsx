/** Other ways to log in: the providers of the organization, and passkeys where the browser and the server have them. */

import { useSignal } from '@preact/signals'
import { PASSKEY_WORDS, WORDS } from '../../../packages/look/log-in-form.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { DesktopWays, findBridge } from './desktop-ways.tsx'
import { type Method, MethodIcon } from './method-icon.tsx'
import { t } from '../../texts/texts.ts'

/** The script of the log-in page that works without the client. */
const PASSKEYS_SCRIPT = '/static/passkeys.js'

interface PasskeysScript {
  readonly logInByPasskey: () => Promise<unknown>
  /** A problem in words for people. */
  readonly explainProblem: (error: unknown, words: Record<keyof typeof PASSKEY_WORDS, string>) => string
}

interface OtherWaysProps {
  readonly methods: readonly Method[]
  readonly onLoggedIn: () => void
}

export function OtherWays({ methods: all, onLoggedIn }: OtherWaysProps) {
  const bridge = findBridge()
  // The server's own page is for apps: a browser has its form and its passkeys here.
  const methods = bridge ? all : all.filter(({ name }) => name !== 'browser')
  if (methods.length === 0 && !hasPasskeys()) return null
  if (bridge) return <DesktopWays methods={methods} bridge={bridge} onLoggedIn={onLoggedIn} />
  return (
    <section class="other-ways" aria-label={t('Other ways to log in')}>
      <p class="or">{t('or')}</p>
      {methods.map(({ name, display_name: displayName, display_icon: picture, login_url: url }) => (
        <a key={name} class="button" href={url}>
          <MethodIcon picture={picture} />
          {t('Log in with {name}', { name: displayName })}
        </a>
      ))}
      {hasPasskeys() && <PasskeyButton onLoggedIn={onLoggedIn} />}
    </section>
  )
}

function PasskeyButton({ onLoggedIn }: { readonly onLoggedIn: () => void }) {
  const problem = useSignal('')
  const isWaiting = useSignal(false)
  const logIn = async () => {
    isWaiting.value = true
    problem.value = ''
    try {
      const { logInByPasskey, explainProblem } = (await import(PASSKEYS_SCRIPT)) as PasskeysScript
      try {
        await logInByPasskey()
        onLoggedIn()
      } catch (error) {
        const words = { unused: t(PASSKEY_WORDS.unused), refused: t(PASSKEY_WORDS.refused) }
        problem.value = explainProblem(error, { ...words, silent: t(PASSKEY_WORDS.silent) })
      }
    } catch {
      problem.value = t('Couldn’t load this part of the page. Please try again.')
    } finally {
      isWaiting.value = false
    }
  }
  return (
    <>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <button class="button" disabled={isWaiting.value} onClick={() => void logIn()}>
        <RareIcon name="key" />
        {t(WORDS.byPasskey)}
      </button>
    </>
  )
}

/** Browsers make passkeys for names, not for network addresses, and only for safe pages. */
function hasPasskeys(): boolean {
  const isAddress = /^\[|^[0-9.]+$/.test(location.hostname)
  return (
    'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential && !isAddress
  )
}
