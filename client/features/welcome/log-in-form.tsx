/** The form to log in: the password, and then the code of the authenticator app for accounts that have one. */

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../packages/client/src/index.ts'
import {
  CODE_FIELD,
  EMAIL_FIELD,
  PASSWORD_FIELD,
  USER_NAME_FIELD,
  WORDS,
} from '../../../packages/look/log-in-form.ts'
import { useApi } from '../../app/api.ts'
import { t } from '../../texts/texts.ts'

interface LogInFormProps {
  /** Whether names of the company's directory count, too. */
  readonly hasUserNames: boolean
  readonly onLoggedIn: () => void
}

export function LogInForm({ hasUserNames, onLoggedIn }: LogInFormProps) {
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
        problem.value = explainLogIn(error, hasUserNames)
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
      <PasswordFields hasUserNames={hasUserNames} isHidden={needsCode.value} />
      {needsCode.value && <CodeField field={code} />}
      <button class="button primary" disabled={isWaiting.value}>
        {isWaiting.value ? t('Logging in…') : t(WORDS.logIn)}
      </button>
      <p class="more">
        {needsCode.value ? (
          <button type="button" class="link" onClick={begin}>
            {t(WORDS.otherAccount)}
          </button>
        ) : (
          <a href="/accounts/password/reset/">{t(WORDS.forgot)}</a>
        )}
      </p>
    </form>
  )
}

/** Names are not words to correct. */
const NAME_INPUT = {
  id: 'username',
  name: 'username',
  autocomplete: EMAIL_FIELD.autocomplete,
  autocapitalize: 'none',
  spellcheck: false,
} as const

/** They stay in the form while the code is asked for, since they are sent again with it. */
function PasswordFields({
  hasUserNames,
  isHidden,
}: Pick<LogInFormProps, 'hasUserNames'> & { readonly isHidden: boolean }) {
  return (
    <>
      <div class="field" hidden={isHidden}>
        <label for="username">{hasUserNames ? t(USER_NAME_FIELD.label) : t(EMAIL_FIELD.label)}</label>
        {hasUserNames ? (
          <input {...NAME_INPUT} type="text" required autofocus />
        ) : (
          <input {...NAME_INPUT} type="email" required autofocus />
        )}
      </div>
      <div class="field" hidden={isHidden}>
        <label for="password">{t(PASSWORD_FIELD.label)}</label>
        <input
          id="password"
          name="password"
          type={PASSWORD_FIELD.type}
          autocomplete={PASSWORD_FIELD.autocomplete}
          required
        />
      </div>
    </>
  )
}

function CodeField({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  return (
    <div class="field">
      <label for="code">{t(CODE_FIELD.label)}</label>
      <input
        id="code"
        name="code"
        autocomplete={CODE_FIELD.autocomplete}
        autocapitalize="none"
        spellcheck={false}
        maxLength={50}
        aria-describedby="code-hint"
        required
        ref={field}
      />
      <small id="code-hint">{t(CODE_FIELD.hint)}</small>
    </div>
  )
}

/** An error in words for people. */
function explainLogIn(error: unknown, hasUserNames: boolean): string {
  if (!(error instanceof ApiError)) return t('Can’t reach the server. Please try again.')
  switch (error.code) {
    case 'AUTHENTICATION_FAILED':
      return hasUserNames ? t(WORDS.wrongUserName) : t(WORDS.wrongPassword)
    case 'SECOND_FACTOR_INCORRECT':
      return t(WORDS.wrongCode)
    default:
      return error.message
  }
}
