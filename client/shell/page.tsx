/** The page: the organization and a form without a session, the team with one. */

import { useEffect, useMemo } from 'preact/hooks'
import { Frame } from './frame.tsx'
import { Waiting } from '../ui/waiting.tsx'
import { useApi } from '../app/api.ts'
import { readCsrfToken } from '../app/csrf-token.ts'
import { AppProvider } from '../app/app.ts'
import { readDemoToken } from '../app/demo-token.ts'
import { Session } from '../app/session.ts'
import { runPersonal } from './run-personal.ts'
import { lazy } from '../ui/lazy.tsx'
import { t } from '../texts/texts.ts'
import { afterPaint } from '../app/after-paint.ts'

/** Most people come back with a session. */
const VisitorFrame = lazy(async () => (await import('../features/visit/visitor-frame.tsx')).VisitorFrame)
const Welcome = lazy(async () => (await import('../features/welcome/welcome.tsx')).Welcome)

/** Texts until the server has said whose page it is. */
const TEXTS = {
  none: t('Connecting…'),
  away: t('Can’t reach the server. Trying again…'),
  'not set up': t(
    'This server has no organization yet. The person who started it has a link to set one up. This page will continue then.',
  ),
} as const

export function Page() {
  const api = useApi()
  const session = useMemo(() => new Session(api, runPersonal), [api])
  useEffect(() => {
    session.ask()
    // Somebody may have logged in in another tab.
    const askAgain = () => {
      const { name } = session.phase.peek()
      if (name === 'out' || (name === 'visiting' && readCsrfToken() !== '')) session.ask()
    }
    addEventListener('focus', askAgain)
    return () => removeEventListener('focus', askAgain)
  }, [session])
  const phase = session.phase.value
  const { app } = session
  const isPainted = app ? app.hasOpened.value : phase.name === 'out' || phase.name === 'visiting'
  useEffect(() => {
    if (isPainted) loadLaterStyle()
  }, [isPainted])
  return (
    <>
      {phase.name === 'asking' && <Waiting text={TEXTS[phase.problem ?? 'none']} />}
      {phase.name === 'out' && (
        <Welcome
          server={phase.server}
          demoToken={readDemoToken()}
          onLoggedIn={() => session.ask()}
          onVisit={() => session.visit()}
        />
      )}
      {phase.name === 'visiting' && (
        <div class="session">
          <AppProvider value={phase.visitor}>
            <Public onLogIn={() => session.logIn()} />
          </AppProvider>
        </div>
      )}
      {app && (
        <div class="session" key={app.ownId} hidden={phase.name !== 'in'}>
          <AppProvider value={app}>
            <Team onLoggedOut={() => session.leave()} />
          </AppProvider>
        </div>
      )}
    </>
  )
}

/**
 * Between the provider and the frame, which draws itself again with each event: the provider keeps the child that it was given,
 * and a child that draws itself would lead from there to its first tree, and from that through rows that stayed the same to all
 * later ones.
 */
function Team({ onLoggedOut }: { readonly onLoggedOut: () => void }) {
  return <Frame onLoggedOut={onLoggedOut} />
}

/** The same for people without an account. */
function Public({ onLogIn }: { readonly onLogIn: () => void }) {
  return <VisitorFrame onLogIn={onLogIn} />
}

/** The address of the styles that the first view does without; `client/build.ts` fills it in. */
declare const LATER_STYLE: string

/** Loads the typeface and the styles of dialogs and print, once the first view is on the screen. */
function loadLaterStyle(): void {
  afterPaint(() => {
    if (document.querySelector(`link[href="${LATER_STYLE}"]`)) return
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = LATER_STYLE
    document.head.append(sheet)
  })
}
