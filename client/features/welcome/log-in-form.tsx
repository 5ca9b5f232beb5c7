/** The form to log in: the password, and then the code of the authenticator app for accounts that have one. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import { useApi } from '../../app/api.ts'

export function LogInForm({ onLoggedIn }: { readonly onLoggedIn: () => void }) {
  const api = useApi()
  const problem = useSignal('')
  const isWaiting = useSignal(false)
  const needsCode = useSignal(false)
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (needsCode.value) code.current?.focus()
  }, [needsCode.value])
  const logIn = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const read = (name: string) => (fields.get(name) ?? '') as string
    isWaiting.value = true
    problem.value = ''
    try {
      const otp = needsCode.value ? { otp_token: read('code') } : {}
      await api.call('POST /login', { username: read('username'), password: read('password'), ...otp })
      onLoggedIn()
    } catch (error) {
      const isCodeMissing = error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED'
      if (isCodeMissing && !needsCode.value) needsCode.value = true
      else {
        problem.value = explainLogIn(error)
        code.current?.select()
      }
    } finally {
      isWaiting.value = false
    }
  }
  const begin = () => {
    needsCode.value = false
    problem.value = ''
  }
  return (
    <form onSubmit={(event) => void logIn(event)}>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="field" hidden={needsCode.value}>
        <label for="username">Email address</label>
        <input id="username" name="username" type="email" autocomplete="username" required autofocus />
      </div>
      <div class="field" hidden={needsCode.value}>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
      </div>
      {needsCode.value && (
        <div class="field">
          <label for="code">Code</label>
          <input
            id="code"
            name="code"
            autocomplete="one-time-code"
            autocapitalize="none"
            spellcheck={false}
            maxLength={50}
            aria-describedby="code-hint"
            required
            ref={code}
          />
          <small id="code-hint">
            The six digits that your authenticator app shows, or one of your recovery codes.
          </small>
        </div>
      )}
      <button class="button primary" disabled={isWaiting.value}>
        {isWaiting.value ? 'Logging in…' : 'Log in'}
      </button>
      <p class="more">
        {needsCode.value ? (
          <button type="button" class="link" onClick={begin}>
            Log in with another account
          </button>
        ) : (
          <a href="/accounts/password/reset/">Forgot your password?</a>
        )}
      </p>
    </form>
  )
}

/** An error in words for people. */
function explainLogIn(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Can’t reach the server. Please try again.'
  switch (error.code) {
    case 'AUTHENTICATION_FAILED':
      return 'The email address or the password is wrong.'
    case 'SECOND_FACTOR_INCORRECT':
      return 'The code is wrong, or it was used before.'
    default:
      return error.message
  }
}
