/** Icons that no view of the first load shows. */

import { Drawing } from './icon.tsx'

const PATHS = {
  eye: 'M2.8 12S6 6 12 6s9.2 6 9.2 6-3.2 6-9.2 6-9.2-6-9.2-6M12 9.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2',
  key: 'M8.5 11.2a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11.4 12.4 19.5 4.3M16.5 7.3l2.8 2.8M14 9.8l1.8 1.8',
  bold: 'M7.5 5h5a3.4 3.4 0 0 1 0 6.8h-5zM7.5 11.8h5.8a3.6 3.6 0 0 1 0 7.2H7.5z',
  bullets: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.2M4.5 12h.2M4.5 17.5h.2',
  clip: 'm19 11.5-7.2 7.2a4.6 4.6 0 0 1-6.5-6.5l7.7-7.7a3 3 0 0 1 4.3 4.3l-7.5 7.5a1.4 1.4 0 0 1-2-2l6.8-6.8',
  code: 'm9 7-5 5 5 5M15 7l5 5-5 5',
  'eye-off':
    'M4 4l16 16M9.9 6.3A8 8 0 0 1 12 6c6 0 9.2 6 9.2 6a15 15 0 0 1-2.6 3.3M6.4 7.9A15 15 0 0 0 2.8 12S6 18 12 18a8 8 0 0 0 4-1M10 10.3a2.6 2.6 0 0 0 3.7 3.7',
  file: 'M7 3.8h7l4 4V20H7zM14 3.8v4h4',
  italic: 'M14.5 5h-4M13.5 19h-4M13 5l-2.5 14',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  numbers: 'M10 6.5h10M10 12h10M10 17.5h10M4 5l1.5-.7v4.4M4 15.6c.3-1 2.4-1 2.2.4-.1.9-1.6 1.5-2.2 2.7h2.4',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5.5v13l10.5-6.5z',
  send: 'M12 19.5v-14M5.5 11.5 12 5l6.5 6.5',
  trash:
    'M5 7h14M9.5 7V5a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v2M7 7l.8 11.6a1.5 1.5 0 0 0 1.5 1.4h5.4a1.5 1.5 0 0 0 1.5-1.4L17 7M10.3 11v5M13.7 11v5',
  quote: 'M5 16.5h3.5V12H5.2c0-2 .8-3.4 2.6-4.2M14 16.5h3.5V12h-3.3c0-2 .8-3.4 2.6-4.2',
} as const

export type RareIconName = keyof typeof PATHS

export function RareIcon({ name }: { readonly name: RareIconName }) {
  return <Drawing path={PATHS[name]} />
}
