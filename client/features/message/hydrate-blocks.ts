/** Code blocks get their language and a button to copy them, spoilers a button to show them. */

import { iconPath, type IconName } from '../../ui/icon.tsx'
import { t } from '../../texts/texts.ts'

const SVG = 'http://www.w3.org/2000/svg'

export function addCodeTools(body: HTMLElement): void {
  const { ownerDocument: page } = body
  for (const block of body.querySelectorAll<HTMLElement>('.codehilite')) {
    const head = page.createElement('div')
    head.className = 'code-head'
    const language = page.createElement('span')
    language.textContent = block.dataset.codeLanguage ?? t('Text')
    const copy = newButton(page, 'copy-code', t('Copy code'))
    copy.append(newIcon(page, 'copy'))
    head.append(language, copy)
    block.prepend(head)
    // Long lines scroll, also by keyboard.
    const code = block.querySelector('pre')
    if (code) code.tabIndex = 0
  }
}

/** Wide tables scroll in a frame of their own, also by keyboard. */
export function frameTables(body: HTMLElement): void {
  for (const table of body.querySelectorAll('table')) {
    const frame = body.ownerDocument.createElement('div')
    frame.className = 'table'
    frame.tabIndex = 0
    frame.setAttribute('role', 'group')
    frame.setAttribute('aria-label', t('Table'))
    table.replaceWith(frame)
    frame.append(table)
  }
}

export function addSpoilerButtons(body: HTMLElement): void {
  const { ownerDocument: page } = body
  for (const block of body.querySelectorAll('.spoiler-block')) {
    const [header, content] = [block.firstElementChild, block.lastElementChild as HTMLElement | null]
    if (!header || !content || header === content) continue
    if (header.textContent?.trim() === '') header.textContent = t('Spoiler')
    content.removeAttribute('aria-hidden')
    content.hidden = true
    const button = newButton(page, 'spoiler', t('Show spoiler'))
    button.setAttribute('aria-expanded', 'false')
    button.append(newIcon(page, 'down'))
    header.append(button)
  }
}

function newButton(page: Document, action: string, label: string): HTMLButtonElement {
  const button = page.createElement('button')
  button.type = 'button'
  button.className = 'ghost'
  button.dataset.action = action
  button.title = label
  button.setAttribute('aria-label', label)
  return button
}

function newIcon(page: Document, name: IconName): SVGElement {
  const icon = page.createElementNS(SVG, 'svg')
  icon.setAttribute('class', 'icon')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const path = page.createElementNS(SVG, 'path')
  path.setAttribute('d', iconPath(name))
  icon.append(path)
  return icon
}
