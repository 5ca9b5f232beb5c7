/** Clicks in rendered text: copy, show, open large. */

import { copyText } from '../../ui/copy-text.ts'
import type { App } from '../../app/app.ts'
import { MessageParts } from './message-parts.ts'
import { t } from '../../texts/texts.ts'

/** Does the action of an element. */
export function clickContent(app: App, target: HTMLElement): void {
  switch (target.dataset.action) {
    case 'copy-code': {
      const code = target.closest('.codehilite')?.querySelector('code')?.textContent ?? ''
      void copyText(code, t('Code copied'))
      return
    }
    case 'spoiler':
      return toggleSpoiler(target)
    case 'picture':
    case 'named-picture':
      showLarge(app, target as HTMLAnchorElement)
  }
}

/** Shows the picture of a link large, or the one that has the link's text as its name, among those of the list. */
function showLarge(app: App, target: HTMLAnchorElement): void {
  const text = target.closest('.rendered')
  const links = [
    ...((target.closest('.list') ?? text)?.querySelectorAll<HTMLAnchorElement>('a.picture') ?? []),
  ]
  const shown = links.find((link) => link === target || (link.href === target.href && text?.contains(link)))
  if (!shown) return
  app.part(MessageParts).gallery.value = {
    pictures: links.map((link) => ({
      name: link.dataset.name ?? '',
      address: link.dataset.large ?? link.href,
      file: link.href,
    })),
    index: links.indexOf(shown),
    opener: target,
  }
}

function toggleSpoiler(button: HTMLElement): void {
  const content = button.closest('.spoiler-block')?.querySelector<HTMLElement>('.spoiler-content')
  if (!content) return
  content.hidden = !content.hidden
  const label = content.hidden ? t('Show spoiler') : t('Hide spoiler')
  button.setAttribute('aria-expanded', String(!content.hidden))
  button.setAttribute('aria-label', label)
  button.title = label
}
