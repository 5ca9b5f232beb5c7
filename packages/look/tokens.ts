/**
 * The look that the browser client, the pages of the server and the mails share: colors, type and measures. No other file
 * of theirs names a color.
 */

export type Theme = 'light' | 'dark'

/**
 * Each color in the light theme, then in the dark one. Greys are warm, so that the accent stands out: it is what can be
 * pressed or is chosen. Ember is what concerns the reader. Text has a contrast of 4.7:1 and more, marks of 3.1:1.
 */
export const COLORS = {
  // Surfaces, from the table up to what floats; what lies lower, and what cannot be pressed.
  ground: ['#f4f1ec', '#131211'],
  paper: ['#fffefc', '#1a1918'],
  raised: ['#ffffff', '#252422'],
  sunk: ['#f8f5f1', '#21201e'],
  fill: ['#e9e4dc', '#302e2b'],
  // Lines that part, quiet frames, and edges that must be seen to be used.
  line: ['#e9e5de', '#2c2a28'],
  'line-strong': ['#d3cdc3', '#45423d'],
  edge: ['#8f877b', '#7d766c'],
  ink: ['#211e1a', '#edeae4'],
  'ink-2': ['#544e46', '#bab4ab'],
  'ink-3': ['#696259', '#a19a90'],
  accent: ['#0b6b65', '#56c7b9'],
  'accent-over': ['#085751', '#79d4c8'], // Under the pointer.
  'accent-ink': ['#ffffff', '#06211e'],
  'accent-wash': ['#e2efec', '#17302d'],
  'accent-line': ['#94c7c0', '#2f615a'],
  ember: ['#b8430f', '#f59465'],
  'ember-ink': ['#ffffff', '#2b1104'],
  'ember-wash': ['#fdf3ea', '#28201b'],
  'ember-fill': ['#f9dcc7', '#51321f'],
  'ember-deep': ['#8c3106', '#ffc6a6'],
  // Errors, and what cannot be undone.
  danger: ['#b3261e', '#ff9b91'],
  'danger-wash': ['#fceeec', '#3a2220'],
  // Letters on a color that people choose.
  'on-color': ['#ffffff', '#ffffff'],
  online: ['#25854c', '#4fcf86'],
  idle: ['#a67200', '#e5b44a'],
  // Notes at the edge of the window, which have the other theme.
  'note-ground': ['#2b2722', '#ece9e3'],
  'note-ink': ['#f6f3ee', '#211e1a'],
  'note-accent': ['#7fd6ca', '#0b6b65'],
  // Shadows, the least one below the sheet that lies on the table.
  lift: ['rgb(60 45 25 / 0.05)', 'rgb(0 0 0 / 0.3)'],
  'shade-near': ['rgb(60 45 25 / 0.08)', 'rgb(0 0 0 / 0.4)'],
  'shade-far': ['rgb(60 45 25 / 0.13)', 'rgb(0 0 0 / 0.5)'],
  backdrop: ['rgb(50 42 30 / 0.34)', 'rgb(0 0 0 / 0.55)'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export type ColorName = keyof typeof COLORS

/** The same in both themes. */
export const MEASURES = {
  // The client serves Inter, and a stand-in with its measures until it is there.
  font: 'Inter, "Inter stand-in", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  mono: 'ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, monospace',
  // Sizes of text, each with the height of its line: 22, 17, 15, 14, 13 and 12 pixels, unless a browser has larger text.
  title: '600 1.375rem/1.75rem var(--font)',
  head: '600 1.0625rem/1.5rem var(--font)',
  text: '400 0.9375rem/1.375rem var(--font)',
  ui: '400 0.875rem/1.25rem var(--font)',
  small: '400 0.8125rem/1.125rem var(--font)',
  label: '500 0.75rem/1rem var(--font)',
  // The text of messages, with the faces beside it and the room around both.
  column: '792px',
  'radius-small': '5px',
  radius: '8px',
  'radius-large': '12px',
  'radius-card': '16px',
  shadow: '0 1px 2px var(--shade-near), 0 8px 28px var(--shade-far)',
  focus: '0 0 0 2px var(--paper), 0 0 0 4px var(--accent)',
  // A field has an edge of its own, which the focus thickens.
  'focus-field': '0 0 0 1px var(--accent)',
} as const

/** Until Inter is here, a font of the system with its measures: nothing moves when it comes. */
export const TYPEFACE_STAND_IN = `@font-face{font-family:"Inter stand-in";src:local("Arial"),local("Liberation Sans"),local("Helvetica");size-adjust:107.4%;ascent-override:90.2%;descent-override:22.5%;line-gap-override:0%}
`

/** For people who ask for more contrast: each line and text is one step darker. */
const MORE_CONTRAST =
  '--line:var(--edge);--line-strong:var(--ink-3);--edge:var(--ink-2);--ink-2:var(--ink);--ink-3:var(--ink)'

export function colorOf(name: ColorName, theme: Theme): string {
  return COLORS[name][theme === 'light' ? 0 : 1]
}

const NAMES = Object.keys(COLORS) as ColorName[]
const MEASURE_RULES = Object.entries(MEASURES).map(([name, value]) => `--${name}:${value}`)

/** The colors of one theme as custom properties. */
function declareTheme(theme: Theme): string {
  return NAMES.map((name) => `--${name}:${colorOf(name, theme)}`).join(';')
}

/** The tokens for the client, which may choose another theme than that of the system by `color-scheme`. */
export function clientTokens(): string {
  const colors = NAMES.map((name) => `--${name}:light-dark(${COLORS[name].join(',')})`)
  return `:root{color-scheme:light dark;${[...colors, ...MEASURE_RULES].join(';')}}
@media(prefers-contrast:more){:root{${MORE_CONTRAST}}}
:root[data-contrast=more]{${MORE_CONTRAST}}
`
}

/** The tokens for pages that have the theme of the system, also in browsers that do not know `light-dark()`. */
export function pageTokens(): string {
  return `:root{color-scheme:light dark;${declareTheme('light')};${MEASURE_RULES.join(';')}}
@media(prefers-color-scheme:dark){:root{${declareTheme('dark')}}}
@media(prefers-contrast:more){:root{${MORE_CONTRAST}}}
`
}
