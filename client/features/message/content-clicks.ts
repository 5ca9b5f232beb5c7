/** Clicks in rendered text: copy, show, open large. */

import { copyText } from '../../ui/copy-text.ts'
import type { App } from '../../app/app.ts'
import { MessageParts } from './message-parts.ts'

export function clickContent(app: App, event: MouseEvent): void {
  if (!(event.target instanceof Element)) return
  const target = event.target.closest<HTMLElement>('[data-action]')
  switch (target?.dataset.action) {
    case 'copy-code': {
      const code = target.closest('.codehilite')?.querySelector('code')?.textContent ?? ''
      void copyText(code, 'Code copied')
      return
    }
    case 'spoiler':
      return toggleSpoiler(target)
    case 'picture': {
      // With a modifier the browser opens the file.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const list = target.closest('.list') ?? target.closest('.rendered')
      const links = [...(list?.querySelectorAll<HTMLAnchorElement>('a.picture') ?? [])]
      app.part(MessageParts).gallery.value = {
        pictures: links.map((link) => ({
          name: link.title,
          address: link.dataset.large ?? link.href,
          file: link.href,
        })),
        index: links.indexOf(target as HTMLAnchorElement),
        opener: target,
      }
    }
  }
}

function toggleSpoiler(button: HTMLElement): void {
  const content = button.closest('.spoiler-block')?.querySelector<HTMLElement>('.spoiler-content')
  if (!content) return
  content.hidden = !content.hidden
  const label = content.hidden ? 'Show spoiler' : 'Hide spoiler'
  button.setAttribute('aria-expanded', String(!content.hidden))
  button.setAttribute('aria-label', label)
  button.title = label
}
