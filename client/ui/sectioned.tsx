/** A view of many settings: its sections in a list, and the one that is shown. On a phone the list comes first. */

import type { ComponentChildren } from 'preact'
import { PlacesLink } from './places-link.tsx'
import { Icon } from './icon.tsx'
import { ShowSide } from './show-side.tsx'

/** A section and its address, with `#`. */
export interface SectionLink {
  readonly href: string
  readonly name: string
}

interface SectionedProps {
  readonly title: string
  /** The address of the list, with `#`. */
  readonly href: string
  readonly sections: readonly SectionLink[]
  readonly current: SectionLink | undefined
  /** Whether the address names no section: then a phone shows the list. */
  readonly isList: boolean
  readonly children: ComponentChildren
}

export function Sectioned({ title, href, sections, current, isList, children }: SectionedProps) {
  return (
    <>
      <header class="head">
        {isList ? (
          <PlacesLink />
        ) : (
          <>
            <a class="ghost only-phone" href={href} aria-label={title}>
              <Icon name="back" />
            </a>
            <ShowSide />
          </>
        )}
        <h1>
          <a href={href}>{title}</a>
          {current && !isList && (
            <>
              <span class="separator">›</span>
              <span>{current.name}</span>
            </>
          )}
        </h1>
      </header>
      <div class={isList ? 'sectioned at-list' : 'sectioned'}>
        <nav class="section-list" aria-label={title}>
          <ul>
            {sections.map((one) => (
              <li key={one.href}>
                <a class="row" href={one.href} aria-current={one.href === current?.href ? 'page' : undefined}>
                  <span class="name">{one.name}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="section-body" key={current?.href}>
          {children}
        </div>
      </div>
    </>
  )
}
