/** The text as the server would show it. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { ServerHtml } from '../../ui/server-html.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { t } from '../../texts/texts.ts'

/** The server renders no more often than this while the text changes. */
const PAUSE_MS = 300

export function Preview({ content }: { readonly content: string }) {
  const app = useApp()
  const rendered = useSignal<string | undefined>(undefined)
  const problem = useSignal(false)
  const round = useSignal(0)
  useEffect(() => {
    const stop = new AbortController()
    const render = async () => {
      problem.value = false
      try {
        const reply = await app.api.callWith(stop, 'POST /messages/render', { content })
        rendered.value = reply.rendered
      } catch {
        if (!stop.signal.aborted) problem.value = true
      }
    }
    const timer = setTimeout(() => void render(), rendered.peek() === undefined ? 0 : PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [content, round.value])
  return (
    <div class="preview" role="region" aria-label={t('Preview')} tabIndex={0}>
      {problem.value && (
        <p class="problem" role="alert">
          {t('Couldn’t load the preview.')}{' '}
          <button type="button" class="button" onClick={() => round.value++}>
            {t('Try again')}
          </button>
        </p>
      )}
      {rendered.value === undefined
        ? !problem.value && <Waiting text={t('Loading preview…')} />
        : content.trim() === '' || <ServerHtml class="rendered" html={rendered.value} />}
      {content.trim() === '' && <p class="empty">{t('Nothing to preview')}</p>}
    </div>
  )
}
