/** Icons: one set of one weight, drawn in the colour of the text around them. */

const PATHS = {
  add: 'M12 5.5v13M5.5 12h13',
  back: 'm14.5 6-6 6 6 6',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4',
  calendar: 'M4.5 6h15v13.5h-15zM4.5 10.5h15M8.5 3.5V8M15.5 3.5V8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 3.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4M12 7.5V12l3 2',
  copy: 'M9 9h10.5v11H9zM6 15H4.5V4H15v2',
  close: 'm6.5 6.5 11 11M17.5 6.5l-11 11',
  down: 'm7 10 5 5 5-5',
  sliders:
    'M4 7.5h8.5M17.5 7.5H20M4 16.5h2.5M11.5 16.5H20M15 5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M9 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  hash: 'M9.5 4.5 8 19.5M16 4.5l-1.5 15M5 9h14.5M4.5 15H19',
  inbox:
    'M3.5 13.5h4l1.5 2.5h6l1.5-2.5h4M6 5h12l2.5 8.5V18a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18v-4.5z',
  lines: 'M4 6.5h16M4 12h16M4 17.5h10',
  lock: 'M6.5 11h11v8.5h-11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  mention:
    'M12 8.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2M15.6 8.4v4.8a2.4 2.4 0 0 0 4.8 0V12a8.4 8.4 0 1 0-3.2 6.6',
  more: 'M5.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4m6.5 0a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4m6.5 0a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4',
  mute: 'M6 16.5V11a6 6 0 0 1 9.5-4.9M18 11v5.5l1.5 1.5h-15M10 20.5h4M4 4l16 16',
  panel: 'M5.5 5h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2M15 5v14',
  pen: 'M5 19h3L19 8a2 2 0 0 0-3-3L5 16z',
  people:
    'M9 5.3a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4M3.5 19a5.6 5.6 0 0 1 11 0M15.5 5.6a3.2 3.2 0 0 1 0 5.8M17 14a5.6 5.6 0 0 1 3.5 5',
  pin: 'M9 4.5h6M10 4.5v6L7.5 14h9L14 10.5v-6M12 14v6',
  reply: 'M9 6 4 11l5 5M4 11h10a6 6 0 0 1 6 6v1',
  side: 'M5.5 5h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2M9 5v14',
  search: 'M11 4.7a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6m9 15.3-4.4-4.4',
  smile: 'M12 3.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4M8.5 14a4 4 0 0 0 7 0M9 9.6v.2M15 9.6v.2',
  star: 'm12 4 2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z',
  topic: 'M6.5 5.5h11a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H10L6.5 19v-3.5a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2',
  up: 'm7 14 5-5 5 5',
} as const

export type IconName = keyof typeof PATHS

/** The path of an icon, for markup that is not drawn by a component. */
export function iconPath(name: IconName): string {
  return PATHS[name]
}

/** They point along the text, so they turn with its direction. */
const TURNING: readonly IconName[] = ['back', 'panel', 'reply', 'side']

/** An icon beside a text or in a labelled control; screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return <Drawing path={PATHS[name]} turns={TURNING.includes(name)} />
}

interface DrawingProps {
  readonly path: string
  readonly turns?: boolean
  /** Further classes, after a space. */
  readonly class?: string
  readonly style?: Readonly<Record<string, string>> | undefined
}

/** The icon of a path, for icons that are not part of the first load. */
export function Drawing({ path, turns = false, class: own = '', style }: DrawingProps) {
  return (
    <svg class={turns ? 'icon turns' : `icon${own}`} style={style} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
