/** The logo: a speech bubble with two eyes, for two people who talk. */

import { COLORS } from './tokens.ts'

/** The same in both themes, since it has a ground of its own. */
const GROUND = COLORS.accent[0]
const BUBBLE = COLORS.paper[0]
const SPARK = '#e0703a'
const BADGE = '#e5484d'

/** `badge` says that something is unread; a `square` one is for places that round its corners themselves. */
export function logoSvg({ badge = false, square = false } = {}): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" ${square ? '' : 'rx="9" '}fill="${GROUND}"/>
<path d="M12.6 6.5h6.8a7.1 7.1 0 0 1 0 14.2h-.6L13.4 25c-.5.4-1.2 0-1.2-.6v-3.7A7.1 7.1 0 0 1 12.6 6.5" fill="${BUBBLE}"/>
<circle cx="12.7" cy="13.6" r="1.75" fill="${GROUND}"/><circle cx="19.3" cy="13.6" r="1.75" fill="${SPARK}"/>
${badge ? `<circle cx="25" cy="7" r="7" fill="${BADGE}"/>\n` : ''}</svg>
`
}
